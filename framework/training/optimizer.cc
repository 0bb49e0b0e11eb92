#include "framework/training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "framework/nn/device_weights.h"
#include "framework/training/optimizer_plan.h"
#include "registry/error.h"

namespace weft {

namespace {

// A layer that got rows for labels which came late starts anew.
bool outgrown(const Parameter& parameter, const OptimizerState& state) {
  const auto differs = [&](const Tensor& kept) {
    return kept && kept.shape() != parameter.value.shape();
  };
  return differs(state.mom1) || differs(state.mom2) || differs(state.average);
}

// Elements [begin, begin + count) of an array as f32: the array's own, or a copy that `store`
// rounds back.
class Elements {
 public:
  Elements(const Tensor& array, std::int64_t begin, std::int64_t count) {
    if (!array) return;
    kept_ = {const_cast<void*>(elements(array.cview(), begin, count).data), array.dtype(), {count}};
    if (array.dtype() == DType::f32) return;
    wide_.resize(static_cast<std::size_t>(count));
    cast_rows(kept_, view());
  }
  View view() { return wide_.empty() ? kept_ : View(wide_.data(), DType::f32, kept_.shape); }
  void store() {
    if (!wide_.empty()) cast_rows(view(), kept_);
  }
  // For second moments, which are kept as their roots in 16 bits.
  void square() {
    for (float& value : wide_) value *= value;
  }
  void take_root() {
    for (float& value : wide_) value = std::sqrt(value);
  }

 private:
  View kept_;
  std::vector<float> wide_;
};

}  // namespace

// A slice and all that is kept of it stay in the second cache from the rule to the average.
struct Optimizer::Slice {
  const Planned* of;
  std::int64_t begin, count;

  static constexpr std::int64_t kElements = 1 << 14;

  // Whole rows of a table, so that gradients kept by rows fall into slices.
  static void cut(const Planned& planned, std::vector<Slice>& slices) {
    const View array = planned.named->parameter->value.view();
    const std::int64_t width = array.cols();
    const std::int64_t step = std::max<std::int64_t>(1, kElements / width) * width;
    for (std::int64_t at = 0; at < array.size(); at += step) {
      slices.push_back({&planned, at, std::min(step, array.size() - at)});
    }
  }
  Elements part(const Tensor& tensor) const { return {tensor, begin, count}; }
  double squares(Context& ctx) const {
    std::vector<float> scratch;
    const float l2 = of->scalars.l2;
    double result = 0.0;
    if (of->dense == nullptr && l2 == 0.0F) {  // zeros, but for the rows that are kept
      if (of->rows == nullptr || begin > 0) return 0.0;
      const ConstView values = of->row_values(scratch);
      ctx.run<SquaredNorm>(values, values, 0.0F, &result);
      return result;
    }
    of->with_gradient(begin, count, [&](const float* numbers) {
      const ConstView gradient(numbers, DType::f32, {count});
      ctx.run<SquaredNorm>(gradient, part(of->named->parameter->value).view(), l2, &result);
    });
    return result;
  }
};

std::vector<Optimizer::Planned> Optimizer::plan(std::span<const NamedParameter> parameters,
                                                const Gradients& gradients) const {
  StepScalars scalars;
  const double l2 = settings_.l2(schedule_step_);
  if (settings_.l2_is_weight_decay) {
    scalars.decay = static_cast<float>(learn_rate() * l2);
  } else {
    scalars.l2 = static_cast<float>(l2);
  }
  std::vector<Planned> all;
  for (const NamedParameter& named : parameters) {
    const Shape shape = named.parameter->value.shape();
    const RowGradient* rows = gradients.find_rows(*named.parameter);
    const Tensor* dense = gradients.find_array(*named.parameter);
    // Added up before the layer grew.
    if (dense != nullptr && dense->shape() != shape) dense = nullptr;
    const bool known = states_.contains(named.name);
    if (rows == nullptr && dense == nullptr && !known) continue;
    all.push_back({&named, dense, rows, scalars, gradients.factor(), gradients.kept_as()});
  }
  return all;
}

void Optimizer::clip(Context& ctx, std::vector<Planned>& all, std::span<const Slice> slices,
                     const TaskRunner& run) const {
  std::vector<double> squares(slices.size());
  run(slices.size(), [&](std::size_t i) { squares[i] = slices[i].squares(ctx); });
  std::size_t at = 0;
  for (Planned& planned : all) {
    double sum = 0.0;
    for (; at < slices.size() && slices[at].of == &planned; ++at) sum += squares[at];
    clip_to(planned, sum);
  }
}

void Optimizer::clip_to(Planned& planned, double squares) const {
  if (!std::isfinite(squares)) {
    throw Error(ErrorKind::diverged,
                "the gradient of " + planned.named->name + " holds a NaN or an infinity");
  }
  const double limit = settings_.grad_clip(schedule_step_);
  const double norm = std::sqrt(squares);
  if (limit != 0.0 && norm >= limit) planned.scalars.clip = static_cast<float>(limit / norm);
}

void Optimizer::prepare(Planned& planned) {
  const Parameter& parameter = *planned.named->parameter;
  OptimizerState& state = states_[planned.named->name];
  if (outgrown(parameter, state)) state = {};
  ++state.updates;
  const Shape shape = parameter.value.shape();
  if (moments() > 0 && !state.mom1) state.mom1 = Tensor::zeros(shape, moment_type_);
  if (moments() > 0 && !state.mom2) state.mom2 = Tensor::zeros(shape, moment_type_);
  if (settings_.use_averages && !state.average) state.average = Tensor::zeros(shape);
  if (device_) move_to(*device_->stream(), state);
  planned.state = &state;
}

void Optimizer::update(Context& ctx, const Slice& slice) const {
  const Planned& planned = *slice.of;
  const OptimizerState& state = *planned.state;
  Elements weights = slice.part(planned.named->parameter->value);
  Elements mom1 = slice.part(state.mom1), mom2 = slice.part(state.mom2);
  mom2.square();
  planned.with_gradient(slice.begin, slice.count, [&](const float* numbers) {
    const ConstView gradient(numbers, DType::f32, {slice.count});
    apply(ctx, {weights.view(), gradient, mom1.view(), mom2.view()}, state.updates,
          planned.scalars);
  });
  mom2.take_root();
  mom1.store();
  mom2.store();
  if (settings_.use_averages) {  // of what the weights are before they are rounded
    ctx.run<AverageStep>(slice.part(state.average).view(), weights.view(), average_rate(state));
  }
  weights.store();
}

std::optional<StepRule> Optimizer::rule(std::int64_t, StepScalars&) const {
  return {};
}

void Optimizer::apply(Context& ctx, const ArraySlice& at, std::int64_t updates,
                      StepScalars s) const {
  const auto chosen = rule(updates, s);
  if (chosen == StepRule::adam) {
    ctx.run<AdamStep>(at.weights, at.gradient, at.mom1, at.mom2, s);
  } else if (chosen == StepRule::momentum) {
    ctx.run<MomentumStep>(at.weights, at.gradient, at.mom1, at.mom2, s);
  } else if (chosen == StepRule::sgd) {
    ctx.run<SgdStep>(at.weights, at.gradient, s);
  } else {
    throw Error(ErrorKind::internal, "an optimizer has neither a rule nor its own `apply`");
  }
}

float Optimizer::average_rate(const OptimizerState& state) const {
  const auto t = static_cast<double>(state.updates);
  const double decay = std::min(0.9999, (1.0 + t) / (10.0 + t));
  return static_cast<float>(1.0 - decay);
}

void Optimizer::step(Context& ctx, std::span<const NamedParameter> parameters,
                     const Gradients& gradients, const TaskRunner& run) {
  std::vector<Planned> all = plan(parameters, gradients);
  if (!ctx.on_cpu()) return step_on_device(ctx, all, gradients);
  std::vector<Slice> slices;
  for (const Planned& planned : all) Slice::cut(planned, slices);
  clip(ctx, all, slices, run);
  for (Planned& planned : all) prepare(planned);
  run(slices.size(), [&](std::size_t i) { update(ctx, slices[i]); });
  for (const Planned& planned : all) ++planned.named->parameter->version;
}

void Optimizer::swap_averages(std::span<const NamedParameter> parameters) {
  for (const NamedParameter& named : parameters) {
    const auto found = states_.find(named.name);
    if (found == states_.end() || !found->second.average) continue;
    if (device_) {
      move_to(*device_->stream(), found->second);
      std::swap(device_->written(*named.parameter), found->second.average);
      continue;
    }
    std::swap(named.parameter->value, found->second.average);
    ++named.parameter->version;
  }
}

}  // namespace weft
