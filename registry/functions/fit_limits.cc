// Numbers within their range, and the faults that a parameter tells of values of its type.
#include <fmt/format.h>

#include "registry/functions/block.h"
#include "registry/functions/fit.h"
#include "registry/functions/fit_scalar.h"
#include "registry/value/json.h"

namespace weft {
namespace {

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
