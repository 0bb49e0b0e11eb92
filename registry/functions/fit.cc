#include "registry/functions/fit.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "registry/functions/block.h"
#include "registry/functions/fit_scalar.h"

namespace weft {
namespace {

// One of the shapes a resolved value has: the same code checks plain data and data with results.
bool fit_node(const Type& type, Node& value, const FitMode& mode, FitReport& report);
bool fit_argument(const Type& type, Argument& value, const FitMode& mode, FitReport& report);

bool fit_part(const Type& type, Node& value, const FitMode& mode, FitReport& report) {
  return fit_node(type, value, mode, report);
}
bool fit_part(const Type& type, Argument& value, const FitMode& mode, FitReport& report) {
  return fit_argument(type, value, mode, report);
}

template <class Items>
bool fit_items(const Type& type, Items& items, const FitMode& mode, FitReport& report) {
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

bool fit_member(const Type& dict, const std::string& key, auto& value, const FitMode& mode,
                FitReport& report) {
  Node name(key);
  const FitMode inside = mode.inside(key);
  const bool name_fits = fit_node(dict.parts()[0], name, inside, report);
  return fit_part(dict.parts()[1], value, inside, report) && name_fits;
}

bool fit_dict(const Type& type, Node& value, const FitMode& mode, FitReport& report) {
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
bool fit_any_of(const Type& type, Value& value, const FitMode& mode, FitReport& report,
                const auto& fits, const auto& is_shape) {
  for (const bool converting : {false, true}) {
    if (converting && !mode.convert) break;
    for (const Type& part : type.parts()) {
      Value attempt = value;
      FitReport trial;
      if (!fits(part, attempt, FitMode{converting, mode.in_list, mode.where}, trial)) continue;
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

bool fit_alternatives(const Type& type, Node& value, const FitMode& mode, FitReport& report) {
  const std::size_t before = report.errors.size();
  if (fit_any_of(type, value, mode, report, fit_node,
                 [&](const Type& part) { return same_shape(part, value); })) {
    return true;
  }
  return report.errors.size() > before ? false : refuse(type, value, mode, report);
}

bool fit_node(const Type& type, Node& value, const FitMode& mode, FitReport& report) {
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

bool refuse_result(const Type& type, const Argument& value, const FitMode& mode,
                   FitReport& report) {
  const bool data = type.kind() == Type::Kind::data;
  const std::string wanted = data ? "a value that a file can hold" : type.str();
  report.errors.push_back(
      {mode.where, fmt::format("expected {}, found {}", wanted, value.type_name())});
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

bool fit_section(const Type& type, Argument::Section& section, const FitMode& mode,
                 FitReport& report) {
  bool good = true;
  for (auto& [key, value] : section) good &= fit_member(type, key, value, mode, report);
  return good;
}

bool fit_argument(const Type& type, Argument& value, const FitMode& mode, FitReport& report) {
  if (value.is_data()) {
    FitMode data = mode;
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

}  // namespace

bool fit(const Type& type, Node& value, FitReport& report, bool blocks) {
  FitMode mode;
  mode.in_list = !blocks;
  return fit_node(type, value, mode, report);
}

bool fit(const Type& type, Argument& value, FitReport& report) {
  return fit_argument(type, value, FitMode{}, report);
}

bool admits(const Type& type, const Argument& value) {
  Argument copy = value;
  FitReport report;
  return fit_argument(type, copy, FitMode{.convert = false, .in_list = false, .where = {}}, report);
}

bool result_may_fit(const Type& type, const Type& result) {
  return result.kind() != Type::Kind::product || product_fits(type, result.product_type());
}

}  // namespace weft
