#include "framework/parser/entity_parses.h"

#include "framework/parser/transition_parses.h"

namespace weft {

using transition::EntitySystem;
using transition::NegativeSpan;
using transition::State;

namespace {

struct EntityGold {
  FlatNegatives negatives;
  EntitySystem::BatchGold placed;
};

// Arrays of the gold annotation as the kernels read them, copied to the device where one runs. Tags
// are found by the row of a token; spans known to be wrong belong to a parse and so follow the
// order in which parses run.
EntityGold placed_gold(Context& ctx, const TrainingParses& parses, const ParseOrder& order) {
  std::vector<std::vector<NegativeSpan>> memory;
  std::span<const std::vector<NegativeSpan>> negatives(parses.negatives);
  if (!negatives.empty()) negatives = order.sorted(negatives, memory);
  EntityGold gold{FlatNegatives(negatives), {}};
  gold.placed.tags = ctx.placed_array(std::span<const GoldTag>(parses.tags));
  if (gold.negatives.begin.empty()) return gold;
  gold.placed.negatives = ctx.placed_array(std::span<const NegativeSpan>(gold.negatives.spans));
  gold.placed.negative_begin =
      ctx.placed_array(std::span<const std::int32_t>(gold.negatives.begin));
  return gold;
}

}  // namespace

FlatNegatives::FlatNegatives(std::span<const std::vector<NegativeSpan>> of_parses) {
  if (of_parses.empty()) return;
  begin.push_back(0);
  for (const auto& of_parse : of_parses) {
    spans.insert(spans.end(), of_parse.begin(), of_parse.end());
    begin.push_back(static_cast<std::int32_t>(spans.size()));
  }
}

EntitySystem::BatchGold FlatNegatives::gold(std::span<const GoldTag> tags) const {
  return {.tags = tags.data(),
          .negatives = spans.data(),
          .negative_begin = begin.empty() ? nullptr : begin.data()};
}

transition::TokenMarks placed_marks(Context& ctx, const transition::TokenMarks& marks,
                                    std::int64_t tokens) {
  return {placed(ctx, marks.iob, tokens), placed(ctx, marks.type, tokens),
          placed(ctx, marks.sent_start, tokens), placed(ctx, marks.is_space, tokens)};
}

ParseBatch entity_parses(const EntityInput& input, std::span<const State> states) {
  return parses_of<EntitySystem>(input, states);
}

TrainingBatch entity_training(const Context& ctx, const EntityInput& input,
                              const TrainingParses& parses, int max_rounds) {
  return training_of<EntitySystem>(
      ctx, input, parses.states, max_rounds,
      [&parses](Context& at, const ParseOrder& order) { return placed_gold(at, parses, order); });
}

}  // namespace weft
