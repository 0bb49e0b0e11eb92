#include "framework/training/local_ranks.h"

#include <array>
#include <utility>
#include <vector>

#include "framework/pipeline/shard_runner.h"
#include "framework/training/rank_mean.h"

namespace weft {
namespace {

std::array<Tensor*, 3> tensors_of(OptimizerState& state) {
  return {&state.mom1, &state.mom2, &state.average};
}

// Of a parameter, as numbers of which the largest of all ranks counts: updates, and the types of
// its tensors; 0 where there is none.
using StateFacts = std::array<std::int64_t, 4>;

StateFacts facts_of(OptimizerState& state) {
  StateFacts facts{state.updates};
  std::size_t next = 1;
  for (const Tensor* tensor : tensors_of(state)) {
    facts[next++] = *tensor ? 1 + static_cast<std::int64_t>(tensor->dtype()) : 0;
  }
  return facts;
}

// Zeros where other ranks have numbers: the parameter had no gradient here yet.
void fill_in(OptimizerState& state, const StateFacts& facts, Shape shape) {
  state.updates = facts[0];
  std::size_t next = 1;
  for (Tensor* tensor : tensors_of(state)) {
    const std::int64_t type = facts[next++];
    if (type > 0 && !*tensor) *tensor = Tensor::zeros(shape, static_cast<DType>(type - 1));
  }
}

}  // namespace

LocalRanks::LocalRanks(std::shared_ptr<Communicator> comm, const LocalOptions& options)
    : ApartRanks(std::move(comm), options.min_shards), options_(options) {}

void LocalRanks::begin(ShardRunner& runner, Optimizer& optimizer) {
  ApartRanks::begin(runner, optimizer);
  optimizer_ = &optimizer;
}

// A rank has a part of the batch; its gradient stands for that of the whole one, so that learning
// rate and clipping mean what they mean on one rank.
void LocalRanks::apply(ShardRunner& runner, Optimizer& optimizer, double most_norm) {
  runner.gradients().scale(static_cast<float>(comm_->size()));
  RunRanks::apply(runner, optimizer, most_norm);
}

// By the number of the step, so that a run which is resumed averages where it would have.
void LocalRanks::stepped(std::int64_t step) {
  ApartRanks::stepped(step);
  if ((step + 1) % options_.steps != 0) return;
  have_met();
  average();
}

bool LocalRanks::meet(bool interrupted) {
  average();
  return any(interrupted);
}

// A parameter that only some ranks have changed so far is averaged by all: the facts tell which
// arrays exist anywhere, so that all ranks take part in the same exchanges with the same sizes.
void LocalRanks::average() const {
  std::map<std::string, OptimizerState> states = optimizer_->states_on_host();
  auto facts = std::make_shared<std::vector<StateFacts>>();
  for (const NamedParameter& named : parameters_) facts->push_back(facts_of(states[named.name]));
  comm_
      ->all_reduce({facts->data(), facts->size() * std::tuple_size_v<StateFacts>, DType::i64},
                   ReduceOp::max, facts)
      .wait();
  std::vector<View> arrays;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& parameter = *parameters_[i].parameter;
    OptimizerState& state = states[parameters_[i].name];
    if ((*facts)[i][0] == 0) continue;  // no rank has changed it
    fill_in(state, (*facts)[i], parameter.value.shape());
    arrays.push_back(parameter.value.view());
    ++parameter.version;
    for (Tensor* tensor : tensors_of(state)) {
      if (*tensor) arrays.push_back(tensor->view());
    }
  }
  average_over_ranks(*comm_, arrays);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if ((*facts)[i][0] == 0) continue;
    const OptimizerState& state = states[parameters_[i].name];
    // Without its bounds, which were those of this rank's numbers.
    optimizer_->set_state(parameters_[i].name, {.updates = state.updates,
                                                .mom1 = state.mom1,
                                                .mom2 = state.mom2,
                                                .average = state.average});
  }
}

std::map<std::string, OptimizerState> LocalRanks::states(const Optimizer& optimizer) {
  return optimizer.states_on_host();
}

}  // namespace weft
