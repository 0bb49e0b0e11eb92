// Whether a step would leave a NaN or an infinity in anything that is kept, found before anything
// is written: a step cannot be taken back without a second copy of all arrays. Almost always the
// sizes of the arrays rule it out; else the step is tried, on copies of a slice at a time on the
// CPU and of the arrays in question on a device.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "framework/training/optimizer_slice.h"

namespace weft {
namespace {

std::string message_of(const std::string& parameter, StepError::Cause cause) {
  switch (cause) {
    case StepError::Cause::gradient:
      return "the gradient of " + parameter + " holds a NaN or an infinity";
    case StepError::Cause::penalized:
      return "the gradient of " + parameter + " with its L2 term holds a NaN or an infinity";
    case StepError::Cause::step:
      break;
  }
  return "the optimizer's step would leave a NaN or an infinity in " + parameter +
         ", its moments or its average";
}

bool all_finite(const StepBounds& bounds) {
  return std::isfinite(bounds.weight) && std::isfinite(bounds.mom1) && std::isfinite(bounds.mom2) &&
         std::isfinite(bounds.average);
}

StepBounds larger(const StepBounds& left, const StepBounds& right) {
  return {.weight = std::max(left.weight, right.weight),
          .mom1 = std::max(left.mom1, right.mom1),
          .mom2 = std::max(left.mom2, right.mom2),
          .average = std::max(left.average, right.average)};
}

bool has_negative(const Tensor& array) {
  if (!array) return false;
  const Tensor wide = cast_to(DType::f32, array);
  const float* numbers = wide.data<float>();
  return std::any_of(numbers, numbers + wide.size(), [](float x) { return x < 0.0F; });
}

}  // namespace

StepError::StepError(const std::string& parameter, Cause cause)
    : Error(ErrorKind::diverged, message_of(parameter, cause)),
      parameter_(parameter),
      cause_(cause) {}

void OptimizerState::measure_kept() {
  const double second = largest_of(mom2);
  bounds.mom1 = largest_of(mom1);
  bounds.mom2 = mom2 && mom2.dtype() != DType::f32 ? second * second : second;
  bounds.average = largest_of(average);
  bounds.mom2_may_be_negative = has_negative(mom2);
}

// The weights are measured again where somebody else wrote to them, and where the bound has become
// too loose, which takes thousands of steps.
bool Optimizer::cannot_overflow(Context& ctx, const Planned& planned) const {
  OptimizerState& state = *planned.state;
  const Tensor& weights = planned.named->parameter->value;
  StepFacts facts{.scalars = planned.scalars,
                  .gradient_norm = planned.gradient_norm,
                  .average_rate = settings_.use_averages ? average_rate(state) : 0.0,
                  .weight_type = weights.dtype(),
                  .moment_type = state.mom1 ? state.mom1.dtype() : DType::f32};
  const auto chosen = rule(state.updates, facts.scalars);
  if (!chosen || facts.scalars.beta2 < 0.0F || facts.scalars.beta2 > 1.0F) {
    state.bounds.mom2_may_be_negative = true;
    return false;
  }
  facts.rule = *chosen;
  auto after = bounds_after(state.bounds, facts);
  if (!after || !state.is_bounded(*planned.named->parameter)) {
    const Tensor there = ctx.resident(weights);
    state.bounds.weight =
        ctx.on_cpu() ? largest_of(weights) : sizes_on_device(ctx, {&there, 1}).front();
    after = bounds_after(state.bounds, facts);
  }
  if (after) state.bounds = *after;
  return after.has_value();
}

std::vector<StepBounds> Optimizer::try_on_copies(Context& ctx, std::span<const Planned* const> some,
                                                 const TaskRunner& run) const {
  std::vector<Slice> slices;
  for (const Planned* planned : some) Slice::cut(*planned, slices);
  std::vector<StepBounds> of_slices(slices.size());
  run(slices.size(), [&](std::size_t i) {
    SliceNumbers copies(slices[i], ArrayElements::Access::copy);
    work(ctx, slices[i], copies);
    of_slices[i] = copies.largest();
  });
  std::vector<StepBounds> found;
  std::size_t at = 0;
  for (const Planned* planned : some) {
    StepBounds all{0.0, 0.0, 0.0, 0.0};
    for (; at < slices.size() && slices[at].of == planned; ++at) {
      all = larger(all, of_slices[at]);
    }
    found.push_back(all);
  }
  return found;
}

void Optimizer::rule_out_overflow(Context& ctx, std::span<const Planned> all,
                                  const TaskRunner& run) const {
  std::vector<const Planned*> in_doubt;
  for (const Planned& planned : all) {
    if (!cannot_overflow(ctx, planned)) in_doubt.push_back(&planned);
  }
  if (in_doubt.empty()) return;
  const std::vector<StepBounds> found =
      ctx.on_cpu() ? try_on_copies(ctx, in_doubt, run) : try_on_device(ctx, in_doubt);
  for (std::size_t i = 0; i < in_doubt.size(); ++i) {
    if (!all_finite(found[i])) throw StepError(in_doubt[i]->named->name, StepError::Cause::step);
    StepBounds& bounds = in_doubt[i]->state->bounds;
    const bool may_be_negative = bounds.mom2_may_be_negative;
    bounds = found[i];
    bounds.mom2_may_be_negative = may_be_negative;
  }
}

}  // namespace weft
