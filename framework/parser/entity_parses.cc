#include "framework/parser/entity_parses.h"

#include <algorithm>
#include <memory>

#include "framework/parser/device_parses.h"

namespace weft {

using transition::State;

namespace {

TransitionTask task_of(Context& ctx, const StateScorer& scorer, const EntityInput& input,
                       std::span<const State> states, std::span<const std::int32_t> begins) {
  TransitionTask task{scorer.shape, scorer.weights, input.actions,
                      input.unseen, states,         input.marks};
  place(ctx, task, scorer.tokens, begins);
  return task;
}

std::vector<std::int32_t> parse(Context& ctx, const StateScorer& scorer, const EntityInput& input,
                                std::span<const State> states) {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(scorer.tokens), -1);
  if (ctx.on_cpu()) {
    ctx.run<TransitionParse>(task_of(ctx, scorer, input, states, {}), classes.data());
    return classes;
  }
  const std::vector<State> sorted = longest_first(states);
  const std::vector<std::int32_t> begins = round_begins(sorted, 0);
  Tensor taken = ctx.host_array({scorer.tokens}, DType::i32);
  std::copy(classes.begin(), classes.end(), taken.data<std::int32_t>());
  taken = ctx.placed(taken);
  ctx.run<TransitionParse>(task_of(ctx, scorer, input, sorted, begins), taken.data<std::int32_t>());
  const Tensor found = ctx.on_host(taken);
  std::copy_n(found.data<std::int32_t>(), classes.size(), classes.begin());
  return classes;
}

void train(Context& ctx, const StateScorer& scorer, const EntityInput& input,
           const TrainingParses& parses, TransitionGold gold, TransitionRecord& record) {
  const FlatNegatives negatives(parses);
  gold.tags = parses.tags.data();
  gold.negatives = negatives.spans.data();
  gold.negative_begin = negatives.begin.empty() ? nullptr : negatives.begin.data();
  place(ctx, gold, scorer.tokens, negatives);
  std::vector<std::int32_t> begins;
  if (!ctx.on_cpu()) begins = round_begins(parses.states, gold.max_rounds);
  ctx.run<TransitionTrain>(task_of(ctx, scorer, input, parses.states, begins), gold, record);
}

// Every step takes one token, so that they are known before the parses run.
std::vector<ParseStep> steps_of(std::span<const State> states, int max_rounds) {
  std::vector<ParseStep> steps;
  for (int round = 0; max_rounds <= 0 || round < max_rounds; ++round) {
    const std::size_t before = steps.size();
    for (const State& state : states) {
      if (state.left() > round) steps.push_back({state.row(), round});
    }
    if (steps.size() == before) break;
  }
  return steps;
}

}  // namespace

ParseBatch entity_parses(const EntityInput& input, std::span<const State> states) {
  return [=](Context& ctx, const StateScorer& scorer) { return parse(ctx, scorer, input, states); };
}

TrainingBatch entity_training(const Context& ctx, const EntityInput& input,
                              const TrainingParses& parses, int max_rounds) {
  std::shared_ptr<const TrainingParses> sorted;
  if (!ctx.on_cpu()) {
    sorted = std::make_shared<const TrainingParses>(longest_first(parses, max_rounds));
  }
  const TrainingParses& all = sorted ? *sorted : parses;
  return {steps_of(all.states, max_rounds), [=, &all](Context& at, const StateScorer& scorer,
                                                      const float* mask, TransitionRecord& record) {
            TransitionGold gold;
            gold.max_rounds = max_rounds;
            gold.mask = mask;
            train(at, scorer, input, sorted ? *sorted : all, gold, record);
          }};
}

}  // namespace weft
