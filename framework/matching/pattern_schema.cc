#include "framework/matching/pattern_schema.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/matching/quantity.h"
#include "framework/text/printable.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

constexpr std::array kSets = {"IN", "NOT_IN", "IS_SUBSET", "IS_SUPERSET", "INTERSECTS"};
constexpr std::array kOrders = {"==", "!=", ">=", "<=", ">", "<"};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_fuzzy(std::string_view name) {
  if (!name.starts_with("FUZZY")) return false;
  const std::string_view digits = name.substr(5);
  return digits.empty() || (digits.size() == 1 && digits[0] >= '1' && digits[0] <= '9');
}

std::string wanted(const Node& value, std::string_view what) {
  return fmt::format("{}, and not {}", what, value.type_name());
}

// Of one predicate; "" if it is fine.
std::string fault_of_list(const Node& value, bool texts) {
  if (!value.is_list()) return wanted(value, "takes a list");
  for (const Node& entry : value.as_list()) {
    const bool fits = texts ? entry.is_string() : entry.is_integer();
    if (!fits) return wanted(entry, texts ? "takes a list of strings" : "takes a list of integers");
  }
  return "";
}

std::string fault_of_texts(const Object& predicates);

std::string fault_of_text_predicate(const std::string& name, const Node& value) {
  if (is_one_of(name, kSets)) return fault_of_list(value, true);
  if (name == "REGEX" || is_fuzzy(name)) {
    if (value.is_object()) return fault_of_texts(value.as_object());
    return value.is_string() ? "" : wanted(value, "takes a string");
  }
  if (is_one_of(name, kOrders)) return "compares numbers, and the attribute is a text";
  return "is no predicate" + suggest_predicate(name);
}

// The first fault, named.
std::string fault_of_texts(const Object& predicates) {
  for (const auto& [key, value] : predicates) {
    const std::string fault = fault_of_text_predicate(upper_name(key), value);
    if (!fault.empty()) return fmt::format("{} {}", printable_brief(key), fault);
  }
  return "";
}

std::string fault_of_number_predicate(const std::string& name, const Node& value) {
  if (is_one_of(name, kSets)) return fault_of_list(value, false);
  if (name == "REGEX") return value.is_string() ? "" : wanted(value, "takes a string");
  if (is_one_of(name, kOrders)) {
    return value.is_integer() || value.is_float() ? "" : wanted(value, "takes a number");
  }
  return "is no predicate of numbers; these are ==, !=, >=, <=, >, <, REGEX and the sets";
}

std::string fault_of_numbers(const Object& predicates) {
  for (const auto& [key, value] : predicates) {
    const std::string fault = fault_of_number_predicate(upper_name(key), value);
    if (!fault.empty()) return fmt::format("{} {}", printable_brief(key), fault);
  }
  return "";
}

std::string fault_of_iob(const Node& value) {
  constexpr std::array kMarks = {"", "I", "O", "B"};
  const bool mark = value.is_string() && is_one_of(value.as_string(), kMarks);
  const bool number = std::holds_alternative<std::int64_t>(value.value()) &&
                      value.as_integer() >= 0 && value.as_integer() <= 3;
  return mark || number ? "" : R"(is "", "I", "O", "B" or a number from 0 to 3)";
}

std::string fault_of_value(AttributeKind kind, const Node& value) {
  if (value.is_null()) return "has no value";
  switch (kind) {
    case AttributeKind::text:
      if (value.is_object()) return fault_of_texts(value.as_object());
      return value.is_string() ? "" : wanted(value, "is compared with a string");
    case AttributeKind::number:
      if (value.is_object()) return fault_of_numbers(value.as_object());
      return value.is_integer() ? "" : wanted(value, "is compared with an integer");
    case AttributeKind::flag:
      return value.is_bool() ? "" : wanted(value, "is true or false");
    case AttributeKind::iob:
      return fault_of_iob(value);
    case AttributeKind::other:
      return "is no attribute of patterns";
  }
  return "";
}

std::string fault_of_op(const Node& value) {
  if (value.is_string() && is_checked_quantity(value.as_string())) return "";
  return "is one of + * ? ! {n} {n,m} {n,} {,m} with n up to m";
}

std::string fault_of_key(const std::string& key, const Node& value) {
  const std::string name = upper_name(key);
  if (name == "OP") return fault_of_op(value);
  if (name == "_") return "";  // refused when it is compiled, whether checked or not
  const auto attribute = pattern_attribute(name);
  if (!attribute) return "is no attribute of tokens" + suggest_attribute(name);
  return fault_of_value(attribute->kind, value);
}

// A key that is there in another letter case, too.
std::optional<std::string> repeated_key(const Object& token) {
  std::vector<std::string> seen;
  for (const auto& [key, _] : token) {
    std::string name = upper_name(key);
    if (is_one_of(name, seen)) return key;
    seen.push_back(std::move(name));
  }
  return std::nullopt;
}

}  // namespace

std::string suggest_predicate(const std::string& name) {
  std::vector<std::string> known(kSets.begin(), kSets.end());
  known.insert(known.end(), {"REGEX", "FUZZY", "FUZZY1", "FUZZY9"});
  const std::string close = suggestion(name, known);
  return close.empty() ? "" : "; did you mean " + close + "?";
}

std::vector<std::string> faults_of_pattern(const List& pattern) {
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (!pattern[i].is_object()) {
      faults.push_back(fmt::format("token {}: {}", i + 1, wanted(pattern[i], "is a map")));
      continue;
    }
    for (const auto& [key, value] : pattern[i].as_object()) {
      const std::string fault = fault_of_key(key, value);
      if (fault.empty()) continue;
      faults.push_back(fmt::format("token {}, {}: {}", i + 1, printable_brief(key), fault));
    }
    if (const auto key = repeated_key(pattern[i].as_object())) {
      faults.push_back(fmt::format("token {}, {}: is there twice", i + 1, printable_brief(*key)));
    }
  }
  return faults;
}

}  // namespace weft
