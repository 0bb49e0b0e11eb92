#include "framework/ops/pass_formats.h"

#include <algorithm>

#include "framework/precision/element_type.h"

namespace weft {
namespace {

DType stored_type(OpRule::Result result, DType low, DType first, bool all_same) {
  switch (result) {
    case OpRule::Result::low:
      return low;
    case OpRule::Result::first:
      return first;
    case OpRule::Result::widest:
      return all_same ? first : DType::f32;
    case OpRule::Result::f32:
      break;
  }
  return DType::f32;
}

}  // namespace

DType PassFormats::stored_result(const OpTraits& op, std::string_view layer,
                                 std::span<const ConstView> inputs) {
  if (inputs.empty()) return DType::f32;
  const DType first = inputs.front().dtype;
  if (!is_cast_type(first)) return first;
  const bool all_same = std::all_of(inputs.begin(), inputs.end(),
                                    [&](ConstView view) { return view.dtype == first; });
  return stored_type(rule_of(op, layer).result, low(), first, all_same);
}

DType PassFormats::stored_gradient(const OpTraits& op, std::string_view layer, DType of) {
  const OpRule rule = rule_of(op, layer);
  if (rule.wide_gradients) return DType::f32;
  return rule.result == OpRule::Result::low ? low() : of;
}

NumberFormat PassFormats::rounded_input(const OpTraits& op, std::string_view layer) {
  const OpRule::Input input = rule_of(op, layer).input;
  if (input == OpRule::Input::tf32) return NumberFormat::tf32;
  return input == OpRule::Input::low ? policy().low : NumberFormat::f32;
}

}  // namespace weft
