#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "registry/value/config.h"
#include "registry/value/json_limits.h"

namespace weft {
namespace {

bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);  // -0.0 is not 0.0
}

bool same(const List& a, const List& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Node& x, const Node& y) { return x.same_value(y); });
}

bool same(const Object& a, const Object& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const Object::Entry& entry) {
           const Node* other = b.find(entry.key);
           return other != nullptr && entry.node.same_value(*other);
         });
}

template <typename T>
bool same(const T& a, const T& b) {
  return a == b;
}

}  // namespace

Node::Node() : value_(nullptr) {}
Node::Node(std::nullptr_t) : value_(nullptr) {}
Node::Node(bool value) : value_(value) {}
Node::Node(int value) : value_(std::int64_t{value}) {}
Node::Node(std::int64_t value) : value_(value) {}
Node::Node(BigInteger value) : value_(std::move(value)) {}
Node::Node(double value) : value_(value) {}
Node::Node(const char* value) : value_(std::string(value)) {}
Node::Node(std::string value) : value_(std::move(value)) {}
Node::Node(List value) : value_(std::move(value)) {}
Node::Node(Object value) : value_(std::move(value)) {}

std::string_view Node::type_name() const {
  static constexpr std::string_view kNames[] = {"null",    "a boolean", "an integer", "an integer",
                                                "a float", "a string",  "a list",     "a section"};
  return kNames[value_.index()];
}

std::size_t count_values(const Node& node) {
  std::size_t count = 1;
  if (node.is_list()) {
    for (const Node& item : node.as_list()) count += count_values(item);
  } else if (node.is_object()) {
    for (const auto& [key, child] : node.as_object()) count += count_values(child);
  }
  return count;
}

bool Node::same_value(const Node& other) const {
  if (value_.index() != other.value_.index()) return false;
  return std::visit(
      [&](const auto& value) {
        return same(value, std::get<std::decay_t<decltype(value)>>(other.value_));
      },
      value_);
}

}  // namespace weft
