#include "framework/training/parameter_check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {
namespace {

bool holds_no_number(const Tensor& stored) {
  const Tensor tensor = cast_to(DType::f32, stored);
  const float* values = tensor.data<float>();
  return !std::all_of(values, values + tensor.size(), [](float x) { return std::isfinite(x); });
}

}  // namespace

// A step leaves no NaN in the parameters it changes; a callback, which writes to them too, may.
void check_parameters(std::span<const NamedParameter> parameters, std::int64_t step) {
  for (const NamedParameter& named : parameters) {
    if (!named.parameter->value || !holds_no_number(named.parameter->value)) continue;
    throw Error(ErrorKind::diverged,
                fmt::format("training diverged: after step {} parameter {} holds a NaN or an "
                            "infinity; a lower learn_rate may help",
                            step, named.name));
  }
}

}  // namespace weft
