#include "framework/training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "framework/nn/device_weights.h"
#include "framework/training/optimizer_memory.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// A layer that got rows for labels which came late starts anew.
bool outgrown(const Shape& shape, const OptimizerState& state) {
  const auto differs = [&](const Tensor& kept) { return kept && kept.shape() != shape; };
  return differs(state.mom1) || differs(state.mom2) || differs(state.average);
}

// A copy: the rest is given back.
Tensor part_of_array(const Tensor& whole, ArrayPart part) {
  return whole.reshaped({whole.size()}).rows(part.begin, part.end).clone();
}

std::vector<double> added_up(std::span<const BlockSums> all) {
  std::vector<double> sums;
  for (const BlockSums& blocks : all) {
    sums.push_back(std::accumulate(blocks.sums.begin(), blocks.sums.end(), 0.0));
  }
  return sums;
}

}  // namespace

Optimizer::Optimizer(OptimizerSettings settings)
    : settings_(std::move(settings)), memory_(host_memory()) {}

Optimizer::~Optimizer() = default;

std::vector<Optimizer::ParameterStep> Optimizer::parameter_steps(
    std::span<const NamedParameter> parameters, const Gradients& gradients) const {
  StepScalars scalars;
  const double l2 = settings_.l2(schedule_step_);
  if (settings_.l2_is_weight_decay) {
    scalars.decay = static_cast<float>(learn_rate() * l2);
  } else {
    scalars.l2 = static_cast<float>(l2);
  }
  std::vector<ParameterStep> all;
  all.reserve(parameters.size());
  for (const NamedParameter& named : parameters) {
    const Shape shape = named.parameter->value.shape();
    const RowGradient* rows = gradients.find_rows(*named.parameter);
    const Tensor* dense = gradients.find_array(*named.parameter);
    // Added up before the layer grew.
    if (dense != nullptr && dense->shape() != shape) dense = nullptr;
    const bool known = states_.contains(named.name);
    if (rows == nullptr && dense == nullptr && !known) continue;
    all.push_back(
        {&named, dense, rows, scalars, part_of(named), gradients.factor(), gradients.kept_as()});
    all.back().sort_blocks();
  }
  return all;
}

ArrayPart Optimizer::part_of(const NamedParameter& named) const {
  const auto found = parts_.find(named.name);
  return found != parts_.end() ? found->second : ArrayPart{0, named.parameter->value.size()};
}

void Optimizer::divide(const NamedParameter& named, ArrayPart part) {
  finish();
  const std::int64_t size = named.parameter->value.size();
  parts_.erase(named.name);
  if (part.is_whole(size)) return;
  if (part.is_empty()) return forget_state(named.name);
  parts_[named.name] = part;
  const auto found = states_.find(named.name);
  if (found == states_.end()) return;
  OptimizerState& state = found->second;
  bool is_whole = true;
  for (Tensor* kept : {&state.mom1, &state.mom2, &state.average}) {
    if (!*kept) continue;
    is_whole = is_whole && kept->size() == size;
    if (is_whole) *kept = part_of_array(*kept, part);
  }
  if (!is_whole) state = {};
  state.begin = part.begin;
}

void Optimizer::clip(ParameterStep& step, double squares) const {
  if (!std::isfinite(squares)) {
    const bool has_term = step.scalars.l2 != 0.0F;
    throw StepError(step.named->name,
                    has_term ? StepError::Cause::penalized : StepError::Cause::gradient);
  }
  const double limit = settings_.grad_clip(schedule_step_);
  const double norm = std::sqrt(squares);
  step.gradient_norm = norm;
  if (limit != 0.0 && norm >= limit) step.scalars.clip = static_cast<float>(limit / norm);
}

void Optimizer::prepare(ParameterStep& step) {
  const Parameter& parameter = *step.named->parameter;
  const auto known = states_.find(step.named->name);
  if (known != states_.end()) step.before = known->second;
  OptimizerState& state = states_[step.named->name];
  step.state = &state;
  const bool is_whole = step.part.is_whole(parameter.value.size());
  const Shape shape = is_whole ? parameter.value.shape() : Shape{step.part.size()};
  if (outgrown(shape, state)) state = {};
  ++state.updates;
  state.begin = step.part.begin;
  if (moments() > 0 && !state.mom1) state.mom1 = Tensor::zeros(shape, moment_type_);
  if (moments() > 0 && !state.mom2) state.mom2 = Tensor::zeros(shape, moment_type_);
  if (settings_.use_averages && !state.average) state.average = Tensor::zeros(shape);
  if (state.bounds.mom1 == StepBounds::unknown) state.measure_kept();
  memory_->hold(state);
}

void Optimizer::undo(std::span<const ParameterStep> all) {
  for (const ParameterStep& step : all) {
    if (step.state == nullptr) continue;  // an error came before its turn
    if (step.before) {
      *step.state = *step.before;
    } else {
      states_.erase(step.named->name);
    }
  }
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

void Optimizer::defer_rows(WorkerPool* pool) {
  pool_ = pool;
  memory_->defer_rows(pool);
}

void Optimizer::write_copies(WeightCopies* copies) {
  copies_ = copies;
  memory_->write_copies(copies);
}

void Optimizer::finish(const TaskRunner& run) const {
  memory_->finish(run);
}

void Optimizer::step(Context& ctx, std::span<const NamedParameter> parameters,
                     const Gradients& gradients, const TaskRunner& run, StepPeers* peers) {
  std::vector<ParameterStep> all = parameter_steps(parameters, gradients);
  const bool reads_all = std::any_of(
      all.begin(), all.end(), [](const ParameterStep& step) { return step.scalars.l2 != 0.0F; });
  if (reads_all) {
    finish(run);
  } else {
    memory_->end_turns(run);
  }
  const std::vector<BlockSums> blocks = memory_->squares(ctx, all, gradients, run);
  const std::vector<double> squares = peers != nullptr ? peers->add_up(blocks) : added_up(blocks);
  for (std::size_t i = 0; i < all.size(); ++i) clip(all[i], squares[i]);
  try {
    for (ParameterStep& step : all) prepare(step);
    rule_out_overflow(ctx, all, run);
    if (peers != nullptr) peers->agree();
  } catch (...) {
    undo(all);
    throw;
  }
  memory_->step(ctx, *this, all, run);
  for (const ParameterStep& step : all) step.state->bound(*step.named->parameter);
}

void Optimizer::swap_averages(std::span<const NamedParameter> parameters) {
  finish();
  for (const NamedParameter& named : parameters) {
    const auto found = states_.find(named.name);
    if (found == states_.end() || !found->second.average) continue;
    OptimizerState& state = found->second;
    const bool is_bounded = state.is_bounded(*named.parameter);
    memory_->hold(state);
    memory_->swap_average(named, state);
    // Of both, whichever is which.
    state.bounds.average = std::max(state.bounds.average, state.bounds.weight);
    state.bounds.weight = state.bounds.average;
    if (is_bounded) state.bound(*named.parameter);
  }
}

void Optimizer::use(std::shared_ptr<DeviceWeights> weights) {
  if (device_ && device_ != weights) states_ = states_on_host();
  device_ = std::move(weights);
  memory_ = device_ ? device_memory(device_) : host_memory();
  memory_->defer_rows(pool_);
  memory_->write_copies(copies_);
}

std::map<std::string, OptimizerState> Optimizer::states_on_host() const {
  finish();
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
