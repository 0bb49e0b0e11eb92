// Passes that train a parser's scoring network: over parses that follow its predictions, and over
// those of a search with beams.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/ops/state_scores.h"
#include "framework/parser/parser_network.h"
#include "framework/parser/parser_network_parts.h"

namespace weft {

namespace {

// The share of hidden numbers that training drops, whatever the rate elsewhere (spaCy 3.8).
constexpr double kStateDropout = 0.1;

// Where the mask of each row of a record starts: a row belongs to a token from which a parse
// starts and to the number of its step, so that it does not depend on what else is in the shard.
std::vector<std::int64_t> mask_offsets(std::span<const ParseStep> steps, int hidden,
                                       std::int64_t first) {
  std::vector<std::int64_t> offsets;
  offsets.reserve(steps.size());
  for (const ParseStep& step : steps) {
    offsets.push_back(((first + step.token) << 32) + std::int64_t{step.round} * hidden);
  }
  return offsets;
}

Tensor draw_mask(Context& ctx, std::string_view site, std::span<const ParseStep> steps, int hidden,
                 std::int64_t first) {
  return ctx.dropout_mask_rows(site, mask_offsets(steps, hidden, first), hidden, kStateDropout);
}

// The mask of all rows at once, or the memory that the batch draws it into.
Tensor mask_for(Context& ctx, const TrainingBatch& batch, std::string_view site, int hidden,
                std::int64_t first) {
  return batch.steps.empty() ? ctx.empty({batch.rows, hidden})
                             : draw_mask(ctx, site, batch.steps, hidden, first);
}

// Makes the states of the rows again that a search has left; gives their masks.
Tensor fill_record(Context& ctx, const StateScorer& scorer, const BeamGradient& learnt,
                   const DrawMasks& draw, TransitionRecord& record) {
  const auto rows = static_cast<std::int64_t>(learnt.rows());
  record = record_for(ctx, scorer.shape, rows);
  record.rows = static_cast<int>(rows);
  std::copy(learnt.features.begin(), learnt.features.end(), record.features);
  std::copy(learnt.d_scores.begin(), learnt.d_scores.end(), record.d_scores);
  Tensor mask;
  if (draw) {
    mask = ctx.empty({rows, scorer.shape.hidden});
    draw(learnt.steps, mask.data<float>());
  }
  ctx.run<ScoreStates>(scorer.shape, scorer.weights, std::span<const std::uint8_t>(),
                       StateRows{.count = record.rows,
                                 .features = record.features,
                                 .mask = draw ? mask.data<float>() : nullptr,
                                 .hidden = record.hidden,
                                 .winners = record.winners});
  return mask;
}

}  // namespace

ParserGradient train_parses(Context& ctx, const Model& parser, const Tensor& vectors,
                            const TrainingBatch& batch, std::string_view site, std::int64_t first) {
  const ScorerShape shape = scorer_shape(parser);
  Tensor mask;
  StateMask masks;
  if (shape.has_upper) {
    mask = mask_for(ctx, batch, site, shape.hidden, first);
    masks.rows = mask.data<float>();
    masks.draw = [&](std::int64_t row, std::span<const ParseStep> steps) {
      const Tensor drawn = draw_mask(ctx, site, steps, shape.hidden, first);
      std::copy_n(drawn.data<float>(), drawn.size(), masks.rows + row * shape.hidden);
    };
  }
  const ScoredTokens tokens =
      scored_tokens(ctx, parser, vectors, Scoring::step_by_step,
                    batch.has_rare_features ? LowerFeatures::first : LowerFeatures::all);
  ParserGradient result;
  result.loss = ctx.number_to_read();
  result.record = record_for(ctx, shape, batch.rows);
  result.record.loss = result.loss.data<double>();
  batch.train(ctx, tokens.scorer, masks, result.record);
  go_back(ctx, parser, vectors, mask, result);
  return result;
}

BeamPass train_beams(Context& ctx, const Model& parser, const Tensor& vectors,
                     const BeamBatch& batch, std::string_view site, std::int64_t first) {
  const ScorerShape shape = scorer_shape(parser);
  DrawMasks draw;
  if (shape.has_upper) {
    draw = [&](std::span<const ParseStep> steps, float* mask) {
      const auto rows = static_cast<std::int64_t>(steps.size());
      ctx.pass().masks().fill_rows(site, mask_offsets(steps, shape.hidden, first), kStateDropout,
                                   View(mask, DType::f32, {rows, shape.hidden}));
    };
  }
  const ScoredTokens tokens = scored_tokens(ctx, parser, vectors, Scoring::step_by_step);
  BeamPass pass;
  pass.learnt = batch(ctx, tokens.scorer, draw);
  const Tensor mask = fill_record(ctx, tokens.scorer, pass.learnt, draw, pass.gradient.record);
  go_back(ctx, parser, vectors, mask, pass.gradient);
  return pass;
}

}  // namespace weft
