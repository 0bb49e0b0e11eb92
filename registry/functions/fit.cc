#include "registry/functions/fit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "registry/functions/block.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// How far a value may be bent, and where it stands.
struct Mode {
  bool convert = true;
  bool in_list = false;  // blocks below are data
  std::string where;

  Mode inside(std::string step, bool list = false) const {
    return {convert, in_list || list, where + "." + std::move(step)};
  }
};

std::string shown(const Node& value) {
  if (value.is_object() || value.is_null()) return std::string(value.type_name());
  std::string text = to_json(value);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return fmt::format("{} {}", value.type_name(), text);
}

bool refuse(const Type& type, const Node& value, const Mode& mode, FitReport& report) {
  std::string found = shown(value);
  if (mode.in_list && is_block(value)) found = "a function block inside a list, where it is data";
  report.errors.push_back(
      {mode.where, fmt::format("expected {}, found {}", type.str(), found), value.origin});
  return false;
}

// `value` becomes `converted`; the reference would have refused it.
bool convert(Node& value, Node converted, const Mode& mode, FitReport& report) {
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

bool may_convert(const Type& type, const Mode& mode) {
  return mode.convert && !type.is_strict();
}

bool fit_boolean(const Type& type, Node& value, const Mode& mode, FitReport& report) {
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

// The command line gives integers beyond 64 bits as text.
bool is_long_integer_text(const Node& value) {
  if (!value.is_string()) return false;
  const std::optional<Node> number = integer_in(value.as_string());
  return number && std::holds_alternative<BigInteger>(number->value());
}

bool fits_bits(const Type& type, const Node& value) {
  if (type.bits() == 0) return true;
  const auto* number = std::get_if<std::int64_t>(&value.value());
  if (number == nullptr) return false;
  return type.bits() >= 64 || (*number >= INT32_MIN && *number <= INT32_MAX);
}

bool fit_integer(const Type& type, Node& value, const Mode& mode, FitReport& report) {
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

// The float that `text` writes, `nan` and `inf` in any case included.
std::optional<double> float_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.starts_with('+')) return std::nullopt;
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ptr != text.data() + text.size() || text.find('(') != text.npos) return std::nullopt;
  if (read.ec == std::errc()) return number;
  return std::strtod(std::string(text).c_str(), nullptr);  // out of range: infinity or zero
}

bool fit_floating(const Type& type, Node& value, const Mode& mode, FitReport& report) {
  if (value.is_float()) return true;
  if (const auto* big = std::get_if<BigInteger>(&value.value())) {
    return replace(value, std::strtod(big->digits.c_str(), nullptr));
  }
  if (value.is_integer()) return replace(value, static_cast<double>(value.as_integer()));
  if (may_convert(type, mode) && value.is_string()) {
    if (const auto number = float_in(value.as_string())) return replace(value, *number);
  }
  return refuse(type, value, mode, report);
}

std::optional<double> as_number(const Node& value) {
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  if (value.is_float()) return value.as_float();
  if (const auto* number = std::get_if<std::int64_t>(&value.value())) return *number;
  return std::nullopt;
}

// Equality as in the reference: 1, 1.0 and true are equal.
bool equal(const Node& a, const Node& b) {
  if (a.same_value(b)) return true;
  const auto left = as_number(a);
  return left && left == as_number(b);
}

bool fit_choice(const Type& type, Node& value, const Mode& mode, FitReport& report) {
  for (const Node& choice : type.choices()) {
    if (equal(choice, value)) return true;
  }
  return refuse(type, value, mode, report);
}

// One of the shapes a resolved value has: the same code checks plain data and data with results.
bool fit_node(const Type& type, Node& value, const Mode& mode, FitReport& report);
bool fit_argument(const Type& type, Argument& value, const Mode& mode, FitReport& report);

bool fit_part(const Type& type, Node& value, const Mode& mode, FitReport& report) {
  return fit_node(type, value, mode, report);
}
bool fit_part(const Type& type, Argument& value, const Mode& mode, FitReport& report) {
  return fit_argument(type, value, mode, report);
}

template <class Items>
bool fit_items(const Type& type, Items& items, const Mode& mode, FitReport& report) {
  const bool tuple = type.kind() == Type::Kind::tuple;
  if (tuple && items.size() != type.parts().size()) {
    report.errors.push_back(
        {mode.where, fmt::format("expected {}, found a list of {}", type.str(), items.size())});
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Type& part = type.parts()[tuple ? i : 0];
    good &= fit_part(part, items[i], mode.inside(std::to_string(i), true), report);
  }
  return good;
}

bool fit_member(const Type& dict, const std::string& key, auto& value, const Mode& mode,
                FitReport& report) {
  Node name(key);
  const Mode inside = mode.inside(key);
  const bool name_fits = fit_node(dict.parts()[0], name, inside, report);
  return fit_part(dict.parts()[1], value, inside, report) && name_fits;
}

bool fit_dict(const Type& type, Node& value, const Mode& mode, FitReport& report) {
  if (!value.is_object()) return refuse(type, value, mode, report);
  bool good = true;
  for (auto& [key, node] : value.as_object()) good &= fit_member(type, key, node, mode, report);
  return good;
}

// Whether a value of this shape could fit at all: picks the alternative whose complaints to show.
// An integer that did not fit is one with too many bits.
bool same_shape(const Type& type, const Node& value) {
  switch (type.kind()) {
    case Type::Kind::integer:
      return value.is_integer() || is_long_integer_text(value);
    case Type::Kind::list:
    case Type::Kind::tuple:
      return value.is_list();
    case Type::Kind::dict:
      return value.is_object();
    default:
      return false;
  }
}

template <class Value>
bool fit_any_of(const Type& type, Value& value, const Mode& mode, FitReport& report,
                const auto& fits, const auto& is_shape) {
  for (const bool converting : {false, true}) {
    if (converting && !mode.convert) break;
    for (const Type& part : type.parts()) {
      Value attempt = value;
      FitReport trial;
      if (!fits(part, attempt, Mode{converting, mode.in_list, mode.where}, trial)) continue;
      value = std::move(attempt);
      report.conversions.insert(report.conversions.end(), trial.conversions.begin(),
                                trial.conversions.end());
      return true;
    }
  }
  const auto shaped = [&](const Type& part) { return is_shape(part); };
  if (std::count_if(type.parts().begin(), type.parts().end(), shaped) != 1) return false;
  fits(*std::find_if(type.parts().begin(), type.parts().end(), shaped), value, mode, report);
  return false;
}

bool fit_alternatives(const Type& type, Node& value, const Mode& mode, FitReport& report) {
  const std::size_t before = report.errors.size();
  if (fit_any_of(type, value, mode, report, fit_node,
                 [&](const Type& part) { return same_shape(part, value); })) {
    return true;
  }
  return report.errors.size() > before ? false : refuse(type, value, mode, report);
}

bool fit_node(const Type& type, Node& value, const Mode& mode, FitReport& report) {
  if (!mode.in_list && is_block(value)) return true;
  switch (type.kind()) {
    case Type::Kind::any:
    case Type::Kind::data:
      return true;
    case Type::Kind::null:
      return value.is_null() || refuse(type, value, mode, report);
    case Type::Kind::boolean:
      return fit_boolean(type, value, mode, report);
    case Type::Kind::integer:
      return fit_integer(type, value, mode, report);
    case Type::Kind::floating:
      return fit_floating(type, value, mode, report);
    case Type::Kind::string:
    case Type::Kind::path:
      return value.is_string() || refuse(type, value, mode, report);
    case Type::Kind::choice:
      return fit_choice(type, value, mode, report);
    case Type::Kind::list:
    case Type::Kind::tuple:
      return value.is_list() ? fit_items(type, value.as_list(), mode, report)
                             : refuse(type, value, mode, report);
    case Type::Kind::dict:
      return fit_dict(type, value, mode, report);
    case Type::Kind::any_of:
      return fit_alternatives(type, value, mode, report);
    case Type::Kind::product:
    case Type::Kind::callable:
      return refuse(type, value, mode, report);
  }
  return false;
}

bool refuse_result(const Type& type, const Argument& value, const Mode& mode, FitReport& report) {
  report.errors.push_back(
      {mode.where, fmt::format("expected {}, found {}", type.str(), value.type_name())});
  return false;
}

bool product_fits(const Type& type, const ProductType& product) {
  switch (type.kind()) {
    case Type::Kind::any:
      return true;
    case Type::Kind::callable:
      return product.callable;
    case Type::Kind::product:
      return type.product_type() == product;
    case Type::Kind::any_of:
      return std::any_of(type.parts().begin(), type.parts().end(),
                         [&](const Type& part) { return product_fits(part, product); });
    default:
      return false;
  }
}

bool fit_section(const Type& type, Argument::Section& section, const Mode& mode,
                 FitReport& report) {
  bool good = true;
  for (auto& [key, value] : section) good &= fit_member(type, key, value, mode, report);
  return good;
}

bool fit_argument(const Type& type, Argument& value, const Mode& mode, FitReport& report) {
  if (value.is_data()) {
    Mode data = mode;
    data.in_list =
        true;  // everything is built by now: a value that still looks like a block is data
    return fit_node(type, value.data(), data, report);
  }
  if (type.kind() == Type::Kind::any) return true;
  if (value.is_product()) {
    return product_fits(type, value.product().type()) || refuse_result(type, value, mode, report);
  }
  if (type.kind() == Type::Kind::any_of) {
    const bool list = value.is_list();
    const auto shaped = [&](const Type& part) {
      return list ? part.kind() == Type::Kind::list : part.kind() == Type::Kind::dict;
    };
    return fit_any_of(type, value, mode, report, fit_argument, shaped) ||
           refuse_result(type, value, mode, report);
  }
  const bool list_type = type.kind() == Type::Kind::list || type.kind() == Type::Kind::tuple;
  if (value.is_list() && list_type) return fit_items(type, value.list(), mode, report);
  if (value.is_section() && type.kind() == Type::Kind::dict) {
    return fit_section(type, value.section(), mode, report);
  }
  return refuse_result(type, value, mode, report);
}

void check_number(const Range& range, const Node& value, const std::string& where,
                  FitReport& report) {
  const auto number = value.is_bool() ? std::nullopt : as_number(value);
  if (!number || range.admits(*number)) return;
  report.errors.push_back(
      {where,
       fmt::format("{} is out of range, it must be {}", to_json(value), range.wanted(*number)),
       value.origin});
}

void check_numbers(const Range& range, const Node& value, const std::string& where,
                   FitReport& report) {
  if (value.is_list()) {
    for (const Node& item : value.as_list()) check_numbers(range, item, where, report);
  } else if (value.is_object()) {
    if (is_block(value)) return;
    for (const auto& [key, node] : value.as_object()) {
      check_numbers(range, node, fmt::format("{}.{}", where, key), report);
    }
  } else {
    check_number(range, value, where, report);
  }
}

}  // namespace

bool fit(const Type& type, Node& value, FitReport& report, bool blocks) {
  Mode mode;
  mode.in_list = !blocks;
  return fit_node(type, value, mode, report);
}

bool fit(const Type& type, Argument& value, FitReport& report) {
  return fit_argument(type, value, Mode{}, report);
}

bool admits(const Type& type, const Argument& value) {
  Argument copy = value;
  FitReport report;
  return fit_argument(type, copy, Mode{.convert = false, .in_list = false, .where = {}}, report);
}

bool result_may_fit(const Type& type, const Type& result) {
  return result.kind() != Type::Kind::product || product_fits(type, result.product_type());
}

bool check_limits(const FunctionParameter& parameter, const Node& value, FitReport& report) {
  if (!check_range(parameter.range, value, report)) return false;
  const std::string fault = parameter.fault != nullptr ? parameter.fault(value) : "";
  if (!fault.empty()) report.errors.push_back({"", fault, value.origin});
  return fault.empty();
}

bool check_range(const Range& range, const Node& value, FitReport& report) {
  if (!range.bounded() && !range.finite) return true;
  const std::size_t before = report.errors.size();
  check_numbers(range, value, "", report);
  return report.errors.size() == before;
}

}  // namespace weft
