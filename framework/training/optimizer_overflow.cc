// Whether a step would leave a NaN or an infinity in anything that is kept, found before anything
// is written: a step cannot be taken back without a second copy of all arrays. Almost always the
// sizes of the arrays rule it out; else the step is tried, on copies of a slice at a time on the
// CPU and of the arrays in question on a device.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "framework/training/optimizer_memory.h"

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
bool Optimizer::cannot_overflow(Context& ctx, const ParameterStep& step,
                                const TaskRunner& run) const {
  OptimizerState& state = *step.state;
  const Tensor& weights = step.named->parameter->value;
  StepFacts facts{.scalars = step.scalars,
                  .gradient_norm = step.gradient_norm,
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
  if (!after || !state.is_bounded(*step.named->parameter)) {
    finish(run);
    state.bounds.weight = memory_->bound(ctx, weights);
    after = bounds_after(state.bounds, facts);
  }
  if (after) state.bounds = *after;
  return after.has_value();
}

void Optimizer::rule_out_overflow(Context& ctx, std::span<const ParameterStep> all,
                                  const TaskRunner& run) const {
  std::vector<const ParameterStep*> in_doubt;
  for (const ParameterStep& step : all) {
    if (!cannot_overflow(ctx, step, run)) in_doubt.push_back(&step);
  }
  if (in_doubt.empty()) return;
  finish(run);
  const std::vector<StepBounds> found = memory_->try_step(ctx, *this, in_doubt, run);
  for (std::size_t i = 0; i < in_doubt.size(); ++i) {
    if (!all_finite(found[i])) throw StepError(in_doubt[i]->named->name, StepError::Cause::step);
    StepBounds& bounds = in_doubt[i]->state->bounds;
    const bool may_be_negative = bounds.mom2_may_be_negative;
    bounds = found[i];
    bounds.mom2_may_be_negative = may_be_negative;
  }
}

}  // namespace weft
