// Steps on a device: all arrays at once by a rule that backends have, else array by array.
#include <cmath>
#include <utility>

#include "framework/nn/device_weights.h"
#include "framework/ops/elementwise.h"
#include "framework/training/optimizer_memory.h"
#include "framework/training/step_gradients.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// A device's weights as f32: their own array, or a copy until the end of the step.
Tensor f32_of(Context& ctx, const Tensor& weights) {
  if (weights.dtype() == DType::f32) return weights;
  Tensor wide = ctx.empty(weights.shape());
  ctx.cast(weights, wide.view());
  return wide;
}

// A gradient as it is to be read, until the end of the step. Null: zeros.
Tensor written_out(Context& ctx, const Tensor* kept, Shape shape, DType type, float factor) {
  if (kept == nullptr) return ctx.zeros(shape);
  if (type == DType::f32 && factor == 1.0F) return *kept;
  Tensor result = ctx.empty(shape);
  Tensor rounded = *kept;
  if (type != DType::f32) {
    Tensor narrow = ctx.empty(shape, type);
    ctx.cast(*kept, narrow.view());
    ctx.cast(narrow, result.view());
    rounded = result;
  }
  ctx.run<Scale>(rounded, factor, result.view());
  return result;
}

Tensor copy_of(Context& ctx, const Tensor& array) {
  if (!array) return {};
  Tensor copy = ctx.empty(array.shape(), array.dtype());
  ctx.copy(array, copy);
  return copy;
}

// Norms, which no number is beyond; infinite where one is a NaN or an infinity.
std::vector<double> norms_of(Context& ctx, std::span<const Tensor> tensors) {
  std::vector<NormArray> arrays;
  for (const Tensor& tensor : tensors) {
    if (!tensor) continue;
    arrays.push_back({.gradient = {},
                      .weights = tensor.cview().data,
                      .weight_type = tensor.dtype(),
                      .l2 = 1.0F,
                      .count = tensor.size()});
  }
  const std::vector<double> found = squares_on_device(ctx, arrays);
  std::vector<double> sizes;
  std::size_t at = 0;
  for (const Tensor& tensor : tensors) {
    const double squares = tensor ? found[at++] : 0.0;
    sizes.push_back(std::isfinite(squares) ? std::sqrt(squares) : StepBounds::unknown);
  }
  return sizes;
}

// The arrays of a parameter in the memory of a device: its own, or copies. Handles.
struct DeviceArrays {
  Tensor weights, mom1, mom2, average;
};

}  // namespace

class Optimizer::DeviceMemory final : public Optimizer::Memory {
 public:
  explicit DeviceMemory(std::shared_ptr<DeviceWeights> weights) : weights_(std::move(weights)) {}

  void hold(OptimizerState& state) const override;
  std::vector<BlockSums> squares(Context& ctx, std::span<const ParameterStep> all,
                                 const Gradients& gradients, const TaskRunner&) const override;
  void step(Context& ctx, const Optimizer& optimizer, std::span<const ParameterStep> all,
            const TaskRunner&) const override;
  std::vector<StepBounds> try_step(Context& ctx, const Optimizer& optimizer,
                                   std::span<const ParameterStep* const> some,
                                   const TaskRunner&) const override;
  double bound(Context& ctx, const Tensor& weights) const override {
    const Tensor there = ctx.resident(weights);
    return norms_of(ctx, {&there, 1}).front();
  }
  void swap_average(const NamedParameter& named, OptimizerState& state) const override {
    weights_->exchange(*named.parameter, state.average);
  }

 private:
  using OnDevice = std::pair<const ParameterStep*, DeviceArrays>;
  static std::optional<StepArray> array_of(const Optimizer& optimizer, const ParameterStep& step,
                                           const DeviceArrays& on);
  static void apply_own_rule(Context& ctx, const Optimizer& optimizer, const ParameterStep& step,
                             DeviceArrays on);
  static void apply_all(Context& ctx, const Optimizer& optimizer, std::span<const OnDevice> all);

  std::shared_ptr<DeviceWeights> weights_;
};

void Optimizer::DeviceMemory::hold(OptimizerState& state) const {
  Stream& stream = *weights_->stream();
  for (Tensor* tensor : {&state.mom1, &state.mom2, &state.average}) {
    if (!*tensor || tensor->device() == stream.device()) continue;
    Tensor there(stream, tensor->shape(), tensor->dtype());
    stream.copy(there.view().data, tensor->cview().data, there.bytes(), CopyKind::host_to_device);
    stream.synchronize();
    *tensor = there;
  }
}

// Arrays are whole here. Squares that are known already are not computed again; an L2 term belongs
// to the norm.
std::vector<BlockSums> Optimizer::DeviceMemory::squares(Context& ctx,
                                                        std::span<const ParameterStep> all,
                                                        const Gradients& gradients,
                                                        const TaskRunner&) const {
  std::vector<BlockSums> sums;
  for (const ParameterStep& step : all) sums.push_back({step.named, {0.0}});
  std::vector<NormArray> unknown;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ParameterStep& step = all[i];
    const float l2 = step.scalars.l2;
    if (l2 == 0.0F && step.dense == nullptr) continue;
    const auto known = l2 == 0.0F ? gradients.squares(*step.named->parameter) : std::nullopt;
    if (known) {
      sums[i].sums = {*known * step.factor * step.factor};
      continue;
    }
    const Tensor weights = ctx.resident(step.named->parameter->value);
    unknown.push_back({.gradient = step.numbers(),
                       .weights = weights.cview().data,
                       .weight_type = weights.dtype(),
                       .l2 = l2,
                       .count = weights.size()});
    places.push_back(i);
  }
  const std::vector<double> found = squares_on_device(ctx, unknown);
  for (std::size_t i = 0; i < places.size(); ++i) sums[places[i]].sums = {found[i]};
  return sums;
}

std::optional<StepArray> Optimizer::DeviceMemory::array_of(const Optimizer& optimizer,
                                                           const ParameterStep& step,
                                                           const DeviceArrays& on) {
  const OptimizerState& state = *step.state;
  StepArray array{.scalars = step.scalars, .gradient = step.numbers()};
  const auto chosen = optimizer.rule(state.updates, array.scalars);
  if (!chosen) return {};
  array.rule = *chosen;
  if (on.mom1) {
    array.mom1 = Tensor(on.mom1).view().data;
    array.mom2 = Tensor(on.mom2).view().data;
    array.moment_type = on.mom1.dtype();
  }
  if (optimizer.keeps_averages()) {
    array.average = Tensor(on.average).data<float>();
    array.average_rate = optimizer.average_rate(state);
  }
  array.weights = Tensor(on.weights).view().data;
  array.weight_type = on.weights.dtype();
  array.count = on.weights.size();
  return array;
}

void Optimizer::DeviceMemory::apply_own_rule(Context& ctx, const Optimizer& optimizer,
                                             const ParameterStep& step, DeviceArrays on) {
  const OptimizerState& state = *step.state;
  if (on.mom1 && on.mom1.dtype() != DType::f32) {
    throw Error(ErrorKind::config,
                "precision: optimizer_state = \"low\" is not for the rule of this optimizer on a "
                "GPU; set it to \"f32\"");
  }
  Tensor weights = f32_of(ctx, on.weights);
  const Tensor gradient =
      written_out(ctx, step.dense, step.shape(), step.gradient_type, step.factor);
  optimizer.apply(ctx, {weights.view(), gradient, on.mom1.view(), on.mom2.view()}, state.updates,
                  step.scalars);
  if (optimizer.keeps_averages()) {
    ctx.run<AverageStep>(on.average.view(), weights, optimizer.average_rate(state));
  }
  if (on.weights.dtype() != DType::f32) ctx.cast(weights, on.weights.view());
}

void Optimizer::DeviceMemory::apply_all(Context& ctx, const Optimizer& optimizer,
                                        std::span<const OnDevice> all) {
  std::vector<StepArray> arrays;
  for (const auto& [step, on] : all) {
    if (const auto array = array_of(optimizer, *step, on)) {
      arrays.push_back(*array);
    } else {
      apply_own_rule(ctx, optimizer, *step, on);
    }
  }
  if (!arrays.empty()) ctx.run<StepArrays>(std::span<const StepArray>(arrays));
}

void Optimizer::DeviceMemory::step(Context& ctx, const Optimizer& optimizer,
                                   std::span<const ParameterStep> all, const TaskRunner&) const {
  std::vector<OnDevice> arrays;
  for (const ParameterStep& step : all) {
    const OptimizerState& state = *step.state;
    arrays.push_back({&step,
                      {.weights = weights_->written(*step.named->parameter),
                       .mom1 = state.mom1,
                       .mom2 = state.mom2,
                       .average = state.average}});
  }
  apply_all(ctx, optimizer, arrays);
  // An error told later would be taken for one of the next batch, which is tried again.
  ctx.stream().hand_over_all();
}

std::vector<StepBounds> Optimizer::DeviceMemory::try_step(
    Context& ctx, const Optimizer& optimizer, std::span<const ParameterStep* const> some,
    const TaskRunner&) const {
  std::vector<OnDevice> copies;
  for (const ParameterStep* step : some) {
    const OptimizerState& state = *step->state;
    copies.push_back({step,
                      {.weights = copy_of(ctx, ctx.resident(step->named->parameter->value)),
                       .mom1 = copy_of(ctx, state.mom1),
                       .mom2 = copy_of(ctx, state.mom2),
                       .average = copy_of(ctx, state.average)}});
  }
  apply_all(ctx, optimizer, copies);
  std::vector<Tensor> written;
  for (const auto& [_, on] : copies) {
    written.insert(written.end(), {on.weights, on.mom1, on.mom2, on.average});
  }
  const std::vector<double> norms = norms_of(ctx, written);
  std::vector<StepBounds> found;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const double* of = &norms[4 * i];
    const bool is_rooted = copies[i].second.mom2.dtype() != DType::f32;
    found.push_back({of[0], of[1], is_rooted ? of[2] * of[2] : of[2], of[3]});
  }
  return found;
}

std::unique_ptr<Optimizer::Memory> Optimizer::device_memory(
    std::shared_ptr<DeviceWeights> weights) {
  return std::make_unique<DeviceMemory>(std::move(weights));
}

}  // namespace weft
