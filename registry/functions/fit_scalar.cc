#include "registry/functions/fit_scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "registry/functions/block.h"
#include "registry/value/json.h"
#include "registry/value/number.h"

namespace weft {
namespace {

std::string shown(const Node& value) {
  if (value.is_object() || value.is_null()) return std::string(value.type_name());
  std::string text = to_json(value);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return fmt::format("{} {}", value.type_name(), text);
}

// `value` becomes `converted`; the reference would have refused it.
bool convert(Node& value, Node converted, const FitMode& mode, FitReport& report) {
  report.conversions.push_back({mode.where,
                                fmt::format("{} is taken as {}", shown(value), to_json(converted)),
                                value.origin});
  converted.origin = value.origin;
  converted.key_origin = value.key_origin;
  value = std::move(converted);
  return true;
}

bool replace(Node& value, Node::Value converted) {
  value.value() = std::move(converted);
  return true;
}

bool may_convert(const Type& type, const FitMode& mode) {
  return mode.convert && !type.is_strict();
}

// The integer that `text` writes: an optional sign and digits.
std::optional<Node> integer_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc()) return Node(number);
  return Node(BigInteger{std::string(text)});
}

bool fits_bits(const Type& type, const Node& value) {
  if (type.bits() == 0) return true;
  const auto* number = std::get_if<std::int64_t>(&value.value());
  if (number == nullptr) return false;
  return type.bits() >= 64 || (*number >= INT32_MIN && *number <= INT32_MAX);
}

// The float that `text` writes, `nan` and `inf` in any case included.
std::optional<double> float_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.starts_with('+')) return std::nullopt;
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ptr != text.data() + text.size() || text.find('(') != text.npos) return std::nullopt;
  if (read.ec == std::errc()) return number;
  return double_of(std::string(text));  // out of range: infinity or zero
}

// Equality as in the reference: 1, 1.0 and true are equal.
bool equal(const Node& a, const Node& b) {
  if (a.same_value(b)) return true;
  const auto left = as_number(a);
  return left && left == as_number(b);
}

}  // namespace

bool refuse(const Type& type, const Node& value, const FitMode& mode, FitReport& report) {
  // Where a default is null and null is no value, nobody has given one.
  if (value.is_null() && value.origin.source == Origin::Source::default_value) {
    report.errors.push_back({mode.where, fmt::format("missing; expected {}", type.str()), {}});
    return false;
  }
  std::string found = shown(value);
  if (mode.in_list && is_block(value)) found = "a function block inside a list, where it is data";
  report.errors.push_back(
      {mode.where, fmt::format("expected {}, found {}", type.str(), found), value.origin});
  return false;
}

bool is_long_integer_text(const Node& value) {
  if (!value.is_string()) return false;
  const std::optional<Node> number = integer_in(value.as_string());
  return number && std::holds_alternative<BigInteger>(number->value());
}

std::optional<double> as_number(const Node& value) {
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  if (value.is_float()) return value.as_float();
  if (const auto* number = std::get_if<std::int64_t>(&value.value())) return *number;
  return std::nullopt;
}

bool fit_boolean(const Type& type, Node& value, const FitMode& mode, FitReport& report) {
  if (value.is_bool()) return true;
  if (!may_convert(type, mode)) return refuse(type, value, mode, report);
  for (const bool candidate : {false, true}) {
    if (value.same_value(Node(candidate ? 1 : 0)) ||
        value.same_value(Node(candidate ? "true" : "false"))) {
      return convert(value, candidate, mode, report);
    }
  }
  return refuse(type, value, mode, report);
}

bool fit_integer(const Type& type, Node& value, const FitMode& mode, FitReport& report) {
  Node number = value;
  const bool is_too_long = type.bits() > 0 && is_long_integer_text(value);  // in any mode
  if (is_too_long || (may_convert(type, mode) && value.is_string())) {
    number = integer_in(value.as_string()).value_or(value);
  } else if (may_convert(type, mode) && value.is_float()) {
    const double given = value.as_float();
    if (std::nearbyint(given) == given && std::fabs(given) < 9.2e18) {
      number = static_cast<std::int64_t>(given);
    }
  }
  if (!number.is_integer()) return refuse(type, value, mode, report);
  if (!fits_bits(type, number)) {
    report.errors.push_back(
        {mode.where, fmt::format("{} does not fit into {} bits", to_json(number), type.bits())});
    return false;
  }
  if (value.is_float()) return convert(value, number, mode, report);
  return value.is_integer() || replace(value, number.value());
}

bool fit_floating(const Type& type, Node& value, const FitMode& mode, FitReport& report) {
  if (value.is_float()) return true;
  if (const auto* big = std::get_if<BigInteger>(&value.value())) {
    return replace(value, double_of(big->digits));
  }
  if (value.is_integer()) return replace(value, static_cast<double>(value.as_integer()));
  if (may_convert(type, mode) && value.is_string()) {
    if (const auto number = float_in(value.as_string())) return replace(value, *number);
  }
  return refuse(type, value, mode, report);
}

bool fit_choice(const Type& type, Node& value, const FitMode& mode, FitReport& report) {
  for (const Node& choice : type.choices()) {
    if (equal(choice, value)) return true;
  }
  return refuse(type, value, mode, report);
}

}  // namespace weft
