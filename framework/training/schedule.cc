#include "framework/training/schedule.h"

#include <algorithm>

#include "registry/base/error.h"

namespace weft {
namespace {

double number(const Node& node) {
  return node.is_float() ? node.as_float() : static_cast<double>(node.as_integer());
}

}  // namespace

Schedule::Schedule(std::vector<double> values) : is_list_(true) {
  if (values.empty()) throw Error(ErrorKind::config, "a schedule needs at least one value");
  function_ = [values = std::move(values)](std::int64_t step) {
    const auto last = static_cast<std::int64_t>(values.size()) - 1;
    return values[static_cast<std::size_t>(std::clamp<std::int64_t>(step, 0, last))];
  };
}

Type FieldConversion<Schedule>::accepts() {
  return Type::any_of({Type::floating(), Type::list(Type::floating())});
}

Schedule FieldConversion<Schedule>::from_node(const Node& data) {
  if (!data.is_list()) return Schedule(number(data));
  std::vector<double> values;
  for (const Node& value : data.as_list()) values.push_back(number(value));
  return Schedule(std::move(values));
}

Node FieldConversion<Schedule>::to_node(const Schedule& schedule) {
  if (!schedule.is_constant()) {
    throw Error(ErrorKind::internal, "only a constant schedule can be a default");
  }
  return schedule(0);
}

}  // namespace weft
