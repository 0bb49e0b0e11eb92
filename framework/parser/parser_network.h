// The scoring network of a transition-based parser around the transition kernels: lower-layer rows
// for every token at once, then the parses, then the backward pass (docs/ner-model.md 1.4 and 3.3).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/nn/model.h"
#include "framework/ops/transition_steps.h"
#include "framework/parser/beam_gradient.h"
#include "framework/parser/parse_batch.h"
#include "registry/base/export.h"

namespace weft {

// Throws Error(config) for a model that has not the parts of a parser's.
WEFT_API void require_parser_network(const Model& model);

// Sizes of the scoring layers of a parser model (refs "lower" and "upper").
WEFT_API ScorerShape scorer_shape(const Model& parser);

// Throws Error(device) if an op of the scoring layers has no kernel on the device. The kernels of
// its transition system are the component's to ask for.
WEFT_API void require_scoring_ops(Context& ctx);

// Hidden vectors of one piece have no maximum to take. They are rectified instead, but not while
// a document is annotated greedily: training, beams and rehearsal see other scores than that
// prediction, as in spaCy 3.8.
enum class Scoring { greedy_prediction, step_by_step };

// Which lower rows are computed beforehand: those of all features, or of the first alone, where the
// kernels of parses compute single ones themselves and no policy casts anything. That is less work
// where few tokens are another feature, for scores that are made in one call of a kernel.
enum class LowerFeatures { all, first };

// The numbers of the scoring layers: the parameters of a model, or copies with more classes.
struct ScoringArrays {
  Tensor lower;              // (features, hidden, pieces, width)
  Tensor pad, lower_bias;    // (1, features, hidden, pieces), (hidden, pieces)
  Tensor upper, upper_bias;  // (classes, hidden), (classes); empty without an upper layer
};

// The scoring layers with the lower-layer rows of all tokens of `vectors` (tokens, width), the
// output of ref "tok2vec".
struct ScoredTokens {
  Tensor rows;     // (tokens, features * hidden * pieces), or of the first feature
  Tensor vectors;  // where rows of others are computed from them
  ScoringArrays arrays;
  StateScorer scorer;
};
// `more_classes` behind those of the model have zeros for weights (spaCy 3.8, resize_output): the
// parses are told that they are unseen.
WEFT_API ScoredTokens scored_tokens(Context& ctx, const Model& parser, const Tensor& vectors,
                                    Scoring scoring, LowerFeatures features = LowerFeatures::all,
                                    int more_classes = 0);

// The result of `parse`, a ParseBatch for one.
template <class Parse>
auto parse_greedily(Context& ctx, const Model& parser, const Tensor& vectors, const Parse& parse) {
  const ScoredTokens tokens = scored_tokens(ctx, parser, vectors, Scoring::greedy_prediction);
  return parse(ctx, tokens.scorer);
}

struct ParserGradient {
  Tensor loss;       // (1, f64): the sum of the squared score gradients
  Tensor d_vectors;  // (tokens, width)
  // (features, hidden, pieces), from this call alone: TransitionComponent::end_batch makes the
  // share of missing features of it.
  Tensor d_pad;
  TransitionRecord record;  // its arrays live in the context's memory
};

// One pass over the parses of a shard: adds to the gradients of lower and upper layer. `site` names
// the dropout mask of the hidden vectors, which has a fixed rate of 0.1; `first` is the number of
// the shard's first token in the batch.
WEFT_API ParserGradient train_parses(Context& ctx, const Model& parser, const Tensor& vectors,
                                     const TrainingBatch& batch, std::string_view site,
                                     std::int64_t first);

// The same for a shard whose parses are searched with beams; on the CPU alone.
struct BeamPass {
  ParserGradient gradient;
  BeamGradient learnt;
};
WEFT_API BeamPass train_beams(Context& ctx, const Model& parser, const Tensor& vectors,
                              const BeamBatch& batch, std::string_view site, std::int64_t first);

// The states that greedy parses of a shard go through, as rows: the token rows that make each up
// (-1: none) and its number within its parse.
struct StateVisits {
  std::vector<std::int32_t> features;  // (rows, features)
  std::vector<int> rounds;
};

// One pass over those states in rehearsal, on the CPU alone: the gradient of a score is its
// difference from the tutor's, divided by the states of the same round in the batch; classes that
// the tutor lacks have none. `share`: the shard's part of the documents of the batch. The loss is
// the sum of the squares, divided by the number of scores. `tokens`: of `vectors`.
WEFT_API ParserGradient rehearse_states(Context& ctx, const Model& parser, const Tensor& vectors,
                                        const ScoredTokens& tokens, const ScoredTokens& tutor,
                                        const StateVisits& visits, double share, float weight);

}  // namespace weft
