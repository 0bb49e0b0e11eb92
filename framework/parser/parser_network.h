// The scoring network of a transition-based parser around the transition kernels: lower-layer rows
// for every token at once, then the parses, then the way back (docs/ner-model.md 1.4 and 3.3).
// With one maxout piece neither training nor prediction rectifies.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/nn/model.h"
#include "framework/ops/transition_steps.h"
#include "framework/parser/parse_batch.h"
#include "registry/base/export.h"

namespace weft {

// Sizes of the scoring layers of a parser model (refs "lower" and "upper").
WEFT_API ScorerShape scorer_shape(const Model& parser);

// Throws Error(device) if an op of the parser has no kernel on the device.
WEFT_API void require_parser_ops(Context& ctx);

// The class taken at every token, -1 where a parse had ended. `vectors` (tokens, width) is the
// output of ref "tok2vec".
WEFT_API std::vector<std::int32_t> parse_greedily(Context& ctx, const Model& parser,
                                                  const Tensor& vectors, const ParseBatch& parse);

struct ParserGradient {
  // Sum of the squared score gradients; on a device `device_loss` (1, f64) instead.
  double loss = 0;
  Tensor device_loss;
  Tensor d_vectors;  // (tokens, width)
  // (features, hidden, pieces), from this call alone: what the end of a batch needs for
  // `add_missing_feature_gradient`.
  Tensor d_pad;
  TransitionRecord record;  // its arrays live in the context's memory
};

// One pass over the parses of a shard: adds to the gradients of lower and upper layer. `site` names
// the dropout mask of the hidden vectors, which has a fixed rate of 0.1; `first` is the number of
// the shard's first token in the batch.
WEFT_API ParserGradient train_parses(Context& ctx, const Model& parser, const Tensor& vectors,
                                     const TrainingBatch& batch, std::string_view site,
                                     std::int64_t first);

// In the reference a missing feature meets the vector of the batch's last token: adds its share to
// the gradient `d_weight` of the lower layer (features, hidden, pieces, width), once per batch.
WEFT_API void add_missing_feature_gradient(std::span<const float> d_pad,
                                           std::span<const float> last_vector, Tensor& d_weight);
// The same where the context runs, of f32 arrays there.
WEFT_API void add_missing_feature_gradient(Context& ctx, const Tensor& d_pad,
                                           const Tensor& last_vector, Tensor& d_weight);

}  // namespace weft
