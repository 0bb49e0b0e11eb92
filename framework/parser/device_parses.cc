#include "framework/parser/device_parses.h"

#include <algorithm>
#include <numeric>

namespace weft {

using transition::State;

namespace {

int steps_of(const State& state, int max_rounds) {
  const int left = std::max(state.left(), 0);
  return max_rounds > 0 ? std::min(left, max_rounds) : left;
}

std::vector<std::size_t> order_of(std::span<const State> states, int max_rounds) {
  std::vector<std::size_t> order(states.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return steps_of(states[a], max_rounds) > steps_of(states[b], max_rounds);
  });
  return order;
}

template <class T>
std::span<const T> placed(Context& ctx, std::span<const T> values) {
  return {ctx.placed_array(values), values.size()};
}

template <class T>
const T* placed(Context& ctx, const T* values, std::int64_t count) {
  return ctx.placed_array(std::span<const T>(values, static_cast<std::size_t>(count)));
}

}  // namespace

TrainingParses longest_first(const TrainingParses& parses, int max_rounds) {
  TrainingParses sorted;
  sorted.tags = parses.tags;
  for (const std::size_t i : order_of(parses.states, max_rounds)) {
    sorted.states.push_back(parses.states[i]);
    if (!parses.negatives.empty()) sorted.negatives.push_back(parses.negatives[i]);
  }
  return sorted;
}

std::vector<State> longest_first(std::span<const State> states) {
  std::vector<State> sorted;
  for (const std::size_t i : order_of(states, 0)) sorted.push_back(states[i]);
  return sorted;
}

std::vector<std::int32_t> round_begins(std::span<const State> states, int max_rounds) {
  const int rounds = states.empty() ? 0 : steps_of(states.front(), max_rounds);
  std::vector<std::int32_t> begins(static_cast<std::size_t>(rounds) + 1, 0);
  std::size_t active = states.size();
  for (int k = 0; k < rounds; ++k) {
    while (active > 0 && steps_of(states[active - 1], max_rounds) <= k) --active;
    const auto at = static_cast<std::size_t>(k);
    begins[at + 1] = begins[at] + static_cast<std::int32_t>(active);
  }
  return begins;
}

FlatNegatives::FlatNegatives(const TrainingParses& parses) {
  if (parses.negatives.empty()) return;
  begin.push_back(0);
  for (const auto& of_state : parses.negatives) {
    spans.insert(spans.end(), of_state.begin(), of_state.end());
    begin.push_back(static_cast<std::int32_t>(spans.size()));
  }
}

void place(Context& ctx, TransitionTask& task, std::int64_t tokens,
           std::span<const std::int32_t> begins) {
  if (ctx.on_cpu()) return;
  task.actions = placed(ctx, task.actions);
  task.unseen = placed(ctx, task.unseen);
  task.states = placed(ctx, task.states);
  task.marks.iob = placed(ctx, task.marks.iob, tokens);
  task.marks.type = placed(ctx, task.marks.type, tokens);
  task.marks.sent_start = placed(ctx, task.marks.sent_start, tokens);
  task.marks.is_space = placed(ctx, task.marks.is_space, tokens);
  task.rounds = {static_cast<int>(begins.size()) - 1, begins.data(), ctx.placed_array(begins)};
}

void place(Context& ctx, TransitionGold& gold, std::int64_t tokens,
           const FlatNegatives& negatives) {
  if (ctx.on_cpu()) return;
  gold.tags = placed(ctx, gold.tags, tokens);
  if (gold.negative_begin == nullptr) return;
  gold.negatives = ctx.placed_array(std::span<const transition::NegativeSpan>(negatives.spans));
  gold.negative_begin = ctx.placed_array(std::span<const std::int32_t>(negatives.begin));
}

}  // namespace weft
