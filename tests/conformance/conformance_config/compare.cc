#include "tests/conformance/conformance_config/compare.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "registry/value/json.h"

namespace weft::conformance {
namespace {

bool nearly(double a, double b) {
  const double size = std::max(std::abs(a), std::abs(b));
  if (size < std::numeric_limits<double>::min()) return true;  // subnormal or zero
  return std::abs(a - b) <= 8 * std::numeric_limits<double>::epsilon() * size;
}

bool is_number(const Node& node) {
  return node.is_integer() || node.is_float();
}

double number(const Node& node) {
  if (node.is_float()) return node.as_float();
  const auto* big = std::get_if<BigInteger>(&node.value());
  return big != nullptr ? std::stod(big->digits) : static_cast<double>(node.as_integer());
}

bool same_converted(const Node& expected, const Node& got) {
  if (is_number(expected) && got.is_float()) return number(expected) == got.as_float();
  if (!expected.is_string() || !is_number(got)) return false;
  // The number that the text stands for, in any spelling: 1e5, inf, nan.
  char* end = nullptr;
  const double meant = std::strtod(expected.as_string().c_str(), &end);
  if (end == expected.as_string().c_str() || *end != '\0') return false;
  return meant == number(got) || (std::isnan(meant) && std::isnan(number(got)));
}

bool same_leaf(const Node& expected, const Node& got, Numbers numbers) {
  if (expected.same_value(got)) return true;
  if (numbers == Numbers::converted) return same_converted(expected, got);
  return numbers == Numbers::rounded && expected.is_float() && got.is_float() &&
         nearly(expected.as_float(), got.as_float());
}

class Comparison {
 public:
  explicit Comparison(Numbers numbers) : numbers_(numbers) {}

  std::optional<std::string> compare(const Node& expected, const Node& got, bool ordered) {
    if (expected.is_object() && got.is_object()) {
      return compare(expected.as_object(), got.as_object(), ordered);
    }
    if (expected.is_list() && got.is_list() && expected.as_list().size() == got.as_list().size()) {
      return compare(expected.as_list(), got.as_list());
    }
    if (same_leaf(expected, got, numbers_)) return std::nullopt;
    return path_ + ": expected " + to_json(expected) + ", got " + to_json(got);
  }

 private:
  std::optional<std::string> compare(const List& expected, const List& got) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (auto found = compare(expected[i], got[i], false)) return found;
    }
    return std::nullopt;
  }

  std::optional<std::string> compare(const Object& expected, const Object& got, bool ordered) {
    for (const auto& [key, node] : got) {
      if (!expected.contains(key)) return path_ + "." + key + ": not expected";
    }
    const Object::Entry* entry = got.begin();
    for (const auto& [key, node] : expected) {
      const Node* other = got.find(key);
      if (other == nullptr) return path_ + "." + key + ": missing";
      if (ordered && (entry++)->key != key) return path_ + ": the order of the keys differs";
      const std::size_t length = path_.size();
      path_ += "." + key;
      if (auto found = compare(node, *other, key == "*")) return found;
      path_.resize(length);
    }
    return std::nullopt;
  }

  Numbers numbers_;
  std::string path_;
};

}  // namespace

std::optional<std::string> difference(const Node& expected, const Node& got, Numbers numbers) {
  return Comparison(numbers).compare(expected, got, false);
}

std::optional<std::string> difference(const Object& expected, const Overrides& got) {
  Object values;
  for (const auto& [name, node] : got) values.set(name, node);
  // The order counts: compared as positional values.
  Object expected_root, got_root;
  expected_root.set("*", Node(expected));
  got_root.set("*", Node(values));
  return difference(Node(expected_root), Node(got_root), Numbers::rounded);
}

bool same_text(std::string expected, std::string got) {
  if (expected.ends_with('\n')) expected.pop_back();
  if (got.ends_with('\n')) got.pop_back();
  return expected == got;
}

}  // namespace weft::conformance
