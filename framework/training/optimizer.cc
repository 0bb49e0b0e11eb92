#include "framework/training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

}  // namespace

struct Optimizer::Planned {
  Parameter* parameter;
  OptimizerState* state;
  const Tensor* gradient;
  StepScalars scalars;
  Tensor zeros;  // stands for the gradient of an array that got none in this step
};

void Optimizer::need_moments(const Parameter& parameter, OptimizerState& state) {
  if (!state.mom1) state.mom1 = Tensor::zeros(parameter.value.shape());
  if (!state.mom2) state.mom2 = Tensor::zeros(parameter.value.shape());
}

std::optional<Optimizer::Planned> Optimizer::plan(Context& ctx, const NamedParameter& named,
                                                  const Gradients& gradients) {
  const Tensor* gradient = gradients.find(*named.parameter);
  // Added up before the layer grew.
  if (gradient != nullptr && gradient->shape() != named.parameter->value.shape())
    gradient = nullptr;
  const auto known = states_.find(named.name);
  if (gradient == nullptr && known == states_.end()) return std::nullopt;
  Planned planned{named.parameter, nullptr, gradient, {}, {}};
  if (gradient == nullptr) planned.zeros = Tensor::zeros(named.parameter->value.shape());

  StepScalars& s = planned.scalars;
  const double l2 = settings_.l2(schedule_step_);
  if (settings_.l2_is_weight_decay) {
    s.decay = static_cast<float>(learn_rate() * l2);
  } else {
    s.l2 = static_cast<float>(l2);
  }
  double squares = 0.0;
  ctx.run<SquaredNorm>(gradient != nullptr ? gradient->cview() : planned.zeros.cview(),
                       named.parameter->value.cview(), s.l2, &squares);
  if (!std::isfinite(squares)) {
    throw Error(ErrorKind::diverged,
                "the gradient of " + named.name + " holds a NaN or an infinity");
  }
  const double clip = settings_.grad_clip(schedule_step_);
  const double norm = std::sqrt(squares);
  if (clip != 0.0 && norm >= clip) s.clip = static_cast<float>(clip / norm);
  return planned;
}

void Optimizer::update(Context& ctx, Planned& planned) {
  OptimizerState& state = *planned.state;
  Parameter& parameter = *planned.parameter;
  if (outgrown(parameter, state)) state = {};
  ++state.updates;
  const Tensor& gradient = planned.gradient != nullptr ? *planned.gradient : planned.zeros;
  apply(ctx, parameter, gradient.cview(), state, planned.scalars);
  ++parameter.version;
  if (!settings_.use_averages) return;
  if (!state.average) state.average = Tensor::zeros(parameter.value.shape());
  const auto t = static_cast<double>(state.updates);
  const double decay = std::min(0.9999, (1.0 + t) / (10.0 + t));
  ctx.run<AverageStep>(state.average.view(), parameter.value.cview(),
                       static_cast<float>(1.0 - decay));
}

void Optimizer::step(Context& ctx, std::span<const NamedParameter> parameters,
                     const Gradients& gradients) {
  std::vector<Planned> all;
  std::vector<std::string> names;
  for (const NamedParameter& named : parameters) {
    if (auto planned = plan(ctx, named, gradients)) {
      all.push_back(std::move(*planned));
      names.push_back(named.name);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].state = &states_[names[i]];
    update(ctx, all[i]);
  }
}

void Optimizer::swap_averages(std::span<const NamedParameter> parameters) {
  for (const NamedParameter& named : parameters) {
    const auto found = states_.find(named.name);
    if (found == states_.end() || !found->second.average) continue;
    std::swap(named.parameter->value, found->second.average);
    ++named.parameter->version;
  }
}

}  // namespace weft
