// Batches of parses under any transition system: their states in the order of the kernels, all that
// the kernels read where they run, and the classes that they took back on the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "framework/ops/context.h"
#include "framework/ops/parse_order.h"
#include "framework/ops/transition_steps.h"
#include "framework/parser/parse_batch.h"

namespace weft {

// `count` values of an array, where the context runs.
template <class T>
const T* placed(Context& ctx, const T* values, std::int64_t count) {
  return ctx.placed_array(std::span<const T>(values, static_cast<std::size_t>(count)));
}
// Values that are no plain numbers stay with the host: kernels bring them where they want them.
template <class T>
std::span<const T> placed(Context& ctx, std::span<const T> values) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return {ctx.placed_array(values), values.size()};
  } else {
    return values;
  }
}

// The most steps of each parse; `max_rounds`: 0 is no limit.
template <transition::System S>
std::vector<int> most_steps(std::span<const typename S::State> states, int max_rounds) {
  std::vector<int> steps;
  for (const auto& state : states) {
    const int left = std::max(S::steps_left(state), 0);
    steps.push_back(max_rounds > 0 ? std::min(left, max_rounds) : left);
  }
  return steps;
}

// The task of a kernel: `states` in that order. Marks are those of all tokens of the batch.
template <transition::System S>
TransitionTaskOf<S> placed_task(Context& ctx, const StateScorer& scorer, const ParseInput<S>& input,
                                std::span<const typename S::State> states,
                                const ParseOrder& order) {
  return {scorer.shape,
          scorer.weights,
          placed(ctx, input.actions),
          placed(ctx, input.unseen),
          placed(ctx, states),
          placed_marks(ctx, input.marks, scorer.tokens),
          order.rounds(ctx)};
}

// The classes that parses took, from the array that each has a part of.
inline ClassSequences sequences_of(std::span<const std::int32_t> classes,
                                   std::span<const std::int64_t> begin) {
  ClassSequences sequences;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const auto from = classes.begin() + begin[i];
    const auto end = i + 1 < begin.size() ? classes.begin() + begin[i + 1] : classes.end();
    sequences.emplace_back(from, std::find(from, end, -1));
  }
  return sequences;
}

// Parses greedily; `states` outlive the batch.
template <transition::System S>
ParseBatch parses_of(const ParseInput<S>& input, std::span<const typename S::State> states) {
  return [=](Context& ctx, const StateScorer& scorer) {
    const std::vector<int> steps = most_steps<S>(states, 0);
    std::vector<std::int64_t> begin, sorted_begin;
    std::int64_t room = 0;
    for (const int each : steps) {
      begin.push_back(room);
      room += each;
    }
    Tensor taken = ctx.host_array({room}, DType::i32);
    std::fill_n(taken.data<std::int32_t>(), room, -1);
    taken = ctx.placed(taken);
    const ParseOrder order(ctx, steps);
    std::vector<typename S::State> sorted;
    const auto task = placed_task<S>(ctx, scorer, input, order.sorted(states, sorted), order);
    const auto begins = order.sorted(std::span<const std::int64_t>(begin), sorted_begin);
    ctx.run<TransitionParseOf<S>>(
        task, TakenClasses{taken.data<std::int32_t>(), ctx.placed_array(begins)});
    const Tensor found = ctx.on_host(taken);
    return sequences_of({found.data<std::int32_t>(), static_cast<std::size_t>(room)}, begin);
  };
}

// All steps that parses can take, in the order of a record's rows.
template <transition::System S>
std::vector<ParseStep> all_steps(std::span<const typename S::State> states,
                                 std::span<const int> steps) {
  std::vector<ParseStep> all;
  for (int round = 0;; ++round) {
    const std::size_t before = all.size();
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (steps[i] > round) all.push_back(S::step_of(states[i], round));
    }
    if (all.size() == before) return all;
  }
}

// Those that some of the states take in one round.
template <transition::System S>
std::vector<ParseStep> steps_of(std::span<const typename S::State> states,
                                std::span<const std::int32_t> active, int round) {
  std::vector<ParseStep> steps;
  for (const std::int32_t number : active) {
    steps.push_back(S::step_of(states[static_cast<std::size_t>(number)], round));
  }
  return steps;
}

// Training. `gold_of(context, order)` gives the gold annotation of the parses in that order: an
// object whose member `placed` is a BatchGold where the context runs, and which holds the memory
// that this points to. `states` outlive the batch.
template <transition::System S, class GoldOf>
TrainingBatch training_of(const Context& ctx, const ParseInput<S>& input,
                          std::span<const typename S::State> states, int max_rounds,
                          const GoldOf& gold_of) {
  const auto order = std::make_shared<const ParseOrder>(ctx, most_steps<S>(states, max_rounds));
  TrainingBatch batch;
  batch.rows = order->rows();
  batch.has_rare_features = requires {
    requires S::has_rare_features;
  };
  constexpr bool takes_all_steps = requires {
    requires S::takes_all_steps;
  };
  if (takes_all_steps || order->knows_rows()) {
    std::vector<typename S::State> sorted;
    batch.steps = all_steps<S>(order->sorted(states, sorted), order->steps());
  }
  batch.train = [=](Context& at, const StateScorer& scorer, const StateMask& mask,
                    TransitionRecord& record) {
    std::vector<typename S::State> memory;
    const auto sorted = order->sorted(states, memory);
    const auto of_parses = gold_of(at, *order);
    TransitionGoldOf<S> gold;
    static_cast<typename S::BatchGold&>(gold) = of_parses.placed;
    gold.max_rounds = max_rounds;
    gold.mask = mask.rows;
    if constexpr (requires { gold.draw; }) {
      if (mask.draw && !order->knows_rows()) {
        gold.draw = [&](std::int64_t row, int round, std::span<const std::int32_t> active) {
          mask.draw(row, steps_of<S>(sorted, active, round));
        };
      }
    }
    at.run<TransitionTrainOf<S>>(placed_task<S>(at, scorer, input, sorted, *order), gold, record);
  };
  return batch;
}

}  // namespace weft
