#include "framework/precision/op_policy.h"

#include <algorithm>
#include <array>

namespace weft {
namespace {

// The lists of NVIDIA's Apex AMP as categories: ops that gain from 16 bits, ops that need f32, and
// those that take the widest of their inputs.
FormatRule output_per_op(Category category) {
  switch (category) {
    case Category::low:
      return FormatRule::low;
    case Category::f32:
      return FormatRule::f32;
    case Category::promote:
      return FormatRule::widest;
    case Category::match_first:
    case Category::any:
      return FormatRule::input;
    case Category::banned:
      return FormatRule::error;
  }
  return FormatRule::f32;
}

FormatRule input_per_op(const OpPolicy& op) {
  switch (op.category) {
    case Category::low:
      return FormatRule::low;
    case Category::f32:
      return FormatRule::f32;
    case Category::promote:
      return FormatRule::widest;
    case Category::banned:
      return FormatRule::error;
    case Category::match_first:
    case Category::any:
      return FormatRule::input;
  }
  return FormatRule::f32;
}

// O1. A layer that computes in f32 gives f32; one that computes low casts whatever it may.
OpFormats formats_per_op(const OpPolicy& op, const PrecisionPolicy& policy, Compute compute) {
  if (compute == Compute::f32) return {FormatRule::f32, FormatRule::f32, false};
  OpFormats formats{input_per_op(op), op.output_per_op, op.category == Category::match_first};
  if (op.follows_norm_output && policy.settings.norm_output == Width::low) {
    formats.output = FormatRule::low;
  }
  if (compute == Compute::low) {
    const bool output_is_fixed =
        op.category == Category::low && op.output_per_op == FormatRule::f32;
    formats = {FormatRule::low, output_is_fixed ? FormatRule::f32 : FormatRule::low, false};
  }
  return formats;
}

// O2 and O3: the op takes what it gets. Where it must compute in f32, its output is cast back, so
// that the layers behind it see no difference of format.
OpFormats formats_whole_model(const OpPolicy& op, const PrecisionPolicy& policy, Compute compute) {
  const bool widened = compute == Compute::f32 || !op.declared;
  const FormatRule input = widened ? FormatRule::f32 : FormatRule::input;
  const bool low_logits = op.gives_logits && policy.settings.cast_model_outputs == Width::low;
  return {input, low_logits ? FormatRule::low : op.output_whole_model,
          op.category == Category::match_first && !widened};
}

}  // namespace

std::string_view name_of(FormatRule rule) {
  static constexpr std::array<std::string_view, 5> names = {"f32", "low", "input", "widest",
                                                            "error"};
  return names[static_cast<std::size_t>(rule)];
}

OpPolicy declare_op(std::string_view name, Category category, bool always_f32) {
  OpPolicy op{.name = name, .category = category, .always_f32 = always_f32};
  op.output_per_op = output_per_op(category);
  op.output_whole_model = always_f32 ? FormatRule::f32 : FormatRule::low;
  if (category == Category::banned) op.output_whole_model = FormatRule::error;
  return op;
}

OpPolicy undeclared_op(std::string_view name) {
  OpPolicy op = declare_op(name, Category::f32);
  op.declared = false;
  return op;
}

bool lacks_kernel(const OpPolicy& op, const PrecisionPolicy& policy,
                  std::span<const NumberFormat> kernels) {
  const CastMode mode = policy.cast_mode();
  if (kernels.empty() || mode == CastMode::none || op.always_f32 || !op.declared) return false;
  if (op.category == Category::f32 && mode == CastMode::per_op) return false;
  return std::find(kernels.begin(), kernels.end(), policy.low) == kernels.end();
}

OpFormats formats_of(const OpPolicy& op, const PrecisionPolicy& policy, Compute compute) {
  const CastMode mode = policy.cast_mode();
  if (op.always_f32) return {FormatRule::f32, FormatRule::f32, false};
  if (mode == CastMode::none) return {FormatRule::input, FormatRule::f32, false};
  if (op.category == Category::banned) return {FormatRule::error, FormatRule::error, false};
  return mode == CastMode::per_op ? formats_per_op(op, policy, compute)
                                  : formats_whole_model(op, policy, compute);
}

}  // namespace weft
