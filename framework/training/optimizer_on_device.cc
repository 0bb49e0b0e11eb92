// Steps on a device: all arrays at once by a rule that backends have, else array by array.
#include <utility>

#include <fmt/format.h>

#include "framework/nn/device_weights.h"
#include "framework/ops/elementwise.h"
#include "framework/training/device_gradients.h"
#include "framework/training/optimizer_plan.h"
#include "registry/error.h"

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

}  // namespace

void move_to(Stream& stream, OptimizerState& state) {
  for (Tensor* tensor : {&state.mom1, &state.mom2, &state.average}) {
    if (!*tensor || tensor->device() == stream.device()) continue;
    Tensor there(stream, tensor->shape(), tensor->dtype());
    stream.copy(there.view().data, tensor->cview().data, there.bytes(), CopyKind::host_to_device);
    stream.synchronize();
    *tensor = there;
  }
}

// What was found on the way is not looked for again; an L2 term belongs to the norm.
void Optimizer::clip_on_device(Context& ctx, std::vector<Planned>& all,
                               const Gradients& gradients) const {
  std::vector<NormArray> unknown;
  std::vector<Planned*> places;
  for (Planned& planned : all) {
    const float l2 = planned.scalars.l2;
    if (l2 == 0.0F && planned.dense == nullptr) continue;
    const auto known = l2 == 0.0F ? gradients.squares(*planned.named->parameter) : std::nullopt;
    if (known) {
      clip_to(planned, *known * planned.factor * planned.factor);
      continue;
    }
    const Tensor weights = ctx.resident(planned.named->parameter->value);
    unknown.push_back({.gradient = planned.numbers(),
                       .weights = weights.cview().data,
                       .weight_type = weights.dtype(),
                       .l2 = l2,
                       .count = weights.size()});
    places.push_back(&planned);
  }
  const FoundNorms found = norms_on_device(ctx, unknown);
  for (std::size_t i = 0; i < places.size(); ++i) clip_to(*places[i], found.squares[i]);
}

std::optional<StepArray> Optimizer::array_of(const Planned& planned) const {
  const OptimizerState& state = *planned.state;
  StepArray array{.scalars = planned.scalars, .gradient = planned.numbers()};
  const auto chosen = rule(state.updates, array.scalars);
  if (!chosen) return {};
  array.rule = *chosen;
  if (state.mom1) {
    array.mom1 = Tensor(state.mom1).view().data;
    array.mom2 = Tensor(state.mom2).view().data;
    array.moment_type = state.mom1.dtype();
  }
  if (settings_.use_averages) {
    array.average = Tensor(state.average).data<float>();
    array.average_rate = average_rate(state);
  }
  Tensor& weights = device_->written(*planned.named->parameter);
  array.weights = weights.view().data;
  array.weight_type = weights.dtype();
  array.count = weights.size();
  return array;
}

void Optimizer::apply_on_device(Context& ctx, const Planned& planned) const {
  const OptimizerState& state = *planned.state;
  if (state.mom1 && state.mom1.dtype() != DType::f32) {
    throw Error(ErrorKind::config,
                "precision: optimizer_state = \"low\" is not for the rule of this optimizer on a "
                "GPU; set it to \"f32\"");
  }
  Tensor& stored = device_->written(*planned.named->parameter);
  Tensor weights = f32_of(ctx, stored);
  const Tensor gradient =
      written_out(ctx, planned.dense, planned.shape(), planned.gradient_type, planned.factor);
  Tensor mom1 = state.mom1, mom2 = state.mom2, average = state.average;
  apply(ctx, {weights.view(), gradient, mom1.view(), mom2.view()}, state.updates, planned.scalars);
  if (settings_.use_averages) {
    ctx.run<AverageStep>(average.view(), weights, average_rate(state));
  }
  if (stored.dtype() != DType::f32) ctx.cast(weights, stored.view());
}

void Optimizer::step_on_device(Context& ctx, std::vector<Planned>& all,
                               const Gradients& gradients) {
  clip_on_device(ctx, all, gradients);
  for (Planned& planned : all) prepare(planned);
  std::vector<StepArray> arrays;
  for (const Planned& planned : all) {
    if (const auto array = array_of(planned)) {
      arrays.push_back(*array);
    } else {
      apply_on_device(ctx, planned);
    }
  }
  if (!arrays.empty()) ctx.run<StepArrays>(std::span<const StepArray>(arrays));
}

void Optimizer::use(std::shared_ptr<DeviceWeights> weights) {
  if (device_ && device_ != weights) states_ = states_on_host();
  device_ = std::move(weights);
}

std::map<std::string, OptimizerState> Optimizer::states_on_host() const {
  std::map<std::string, OptimizerState> states = states_;
  if (!device_) return states;
  for (auto& [_, state] : states) {
    for (Tensor* tensor : {&state.mom1, &state.mom2, &state.average}) {
      if (tensor->device().kind == DeviceKind::cpu) continue;
      Tensor host = Tensor::zeros(tensor->shape(), tensor->dtype());
      device_->stream()->copy(host.view().data, tensor->cview().data, host.bytes(),
                              CopyKind::device_to_host);
      *tensor = host;
    }
  }
  device_->stream()->synchronize();
  return states;
}

}  // namespace weft
