// Steps on a device: all arrays at once by a rule that backends have, else array by array.
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "framework/nn/device_weights.h"
#include "framework/ops/elementwise.h"
#include "framework/training/device_gradients.h"
#include "framework/training/optimizer_plan.h"
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

}  // namespace

// Norms, which no number is beyond; infinite where one is a NaN or an infinity.
std::vector<double> sizes_on_device(Context& ctx, std::span<const Tensor> tensors) {
  std::vector<NormArray> arrays;
  for (const Tensor& tensor : tensors) {
    if (!tensor) continue;
    arrays.push_back({.gradient = {},
                      .weights = tensor.cview().data,
                      .weight_type = tensor.dtype(),
                      .l2 = 1.0F,
                      .count = tensor.size()});
  }
  const FoundNorms found = norms_on_device(ctx, arrays);
  std::vector<double> sizes;
  std::size_t at = 0;
  for (const Tensor& tensor : tensors) {
    const double squares = tensor ? found.squares[at++] : 0.0;
    sizes.push_back(std::isfinite(squares) ? std::sqrt(squares) : StepBounds::unknown);
  }
  return sizes;
}

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

std::optional<StepArray> Optimizer::array_of(const Planned& planned, const DeviceArrays& on) const {
  const OptimizerState& state = *planned.state;
  StepArray array{.scalars = planned.scalars, .gradient = planned.numbers()};
  const auto chosen = rule(state.updates, array.scalars);
  if (!chosen) return {};
  array.rule = *chosen;
  if (on.mom1) {
    array.mom1 = Tensor(on.mom1).view().data;
    array.mom2 = Tensor(on.mom2).view().data;
    array.moment_type = on.mom1.dtype();
  }
  if (settings_.use_averages) {
    array.average = Tensor(on.average).data<float>();
    array.average_rate = average_rate(state);
  }
  array.weights = Tensor(on.weights).view().data;
  array.weight_type = on.weights.dtype();
  array.count = on.weights.size();
  return array;
}

void Optimizer::apply_on_device(Context& ctx, const Planned& planned, DeviceArrays on) const {
  const OptimizerState& state = *planned.state;
  if (on.mom1 && on.mom1.dtype() != DType::f32) {
    throw Error(ErrorKind::config,
                "precision: optimizer_state = \"low\" is not for the rule of this optimizer on a "
                "GPU; set it to \"f32\"");
  }
  Tensor weights = f32_of(ctx, on.weights);
  const Tensor gradient =
      written_out(ctx, planned.dense, planned.shape(), planned.gradient_type, planned.factor);
  apply(ctx, {weights.view(), gradient, on.mom1.view(), on.mom2.view()}, state.updates,
        planned.scalars);
  if (settings_.use_averages) {
    ctx.run<AverageStep>(on.average.view(), weights, average_rate(state));
  }
  if (on.weights.dtype() != DType::f32) ctx.cast(weights, on.weights.view());
}

void Optimizer::apply_all(Context& ctx, std::span<const OnDevice> all) const {
  std::vector<StepArray> arrays;
  for (const auto& [planned, on] : all) {
    if (const auto array = array_of(*planned, on)) {
      arrays.push_back(*array);
    } else {
      apply_on_device(ctx, *planned, on);
    }
  }
  if (!arrays.empty()) ctx.run<StepArrays>(std::span<const StepArray>(arrays));
}

void Optimizer::step_on_device(Context& ctx, std::span<const Planned> all) const {
  std::vector<OnDevice> arrays;
  for (const Planned& planned : all) {
    const OptimizerState& state = *planned.state;
    arrays.push_back({&planned,
                      {.weights = device_->written(*planned.named->parameter),
                       .mom1 = state.mom1,
                       .mom2 = state.mom2,
                       .average = state.average}});
  }
  apply_all(ctx, arrays);
  for (const Planned& planned : all) planned.state->bound(*planned.named->parameter);
}

std::vector<StepBounds> Optimizer::try_on_device(Context& ctx,
                                                 std::span<const Planned* const> some) const {
  std::vector<OnDevice> copies;
  for (const Planned* planned : some) {
    const OptimizerState& state = *planned->state;
    copies.push_back({planned,
                      {.weights = copy_of(ctx, ctx.resident(planned->named->parameter->value)),
                       .mom1 = copy_of(ctx, state.mom1),
                       .mom2 = copy_of(ctx, state.mom2),
                       .average = copy_of(ctx, state.average)}});
  }
  apply_all(ctx, copies);
  std::vector<Tensor> written;
  for (const auto& [_, on] : copies) {
    written.insert(written.end(), {on.weights, on.mom1, on.mom2, on.average});
  }
  const std::vector<double> norms = sizes_on_device(ctx, written);
  std::vector<StepBounds> found;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const double* of = &norms[4 * i];
    const bool is_rooted = copies[i].second.mom2.dtype() != DType::f32;
    found.push_back({of[0], of[1], is_rooted ? of[2] * of[2] : of[2], of[3]});
  }
  return found;
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
