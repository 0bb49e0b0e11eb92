// The spans that a suggester finds in documents, and their scores by the network of
// `spacy.SpanCategorizer.v1` (docs/spans.md, sections 1 and 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "framework/nn/model.h"
#include "framework/text/suggester.h"
#include "registry/base/export.h"

namespace weft {

// Of several documents, one document after the other; each span by the tokens of its document.
struct SpanCandidates {
  std::vector<TokenRange> spans;
  std::vector<std::size_t> counts;  // of each document
};

// Tokens of all candidates of a document.
inline constexpr std::int64_t kMostCandidateTokens = std::int64_t{1} << 30;

// Throws Error(data) as the suggester does, for a span that is empty or not in the document, and
// where a document's have too many tokens.
WEFT_API SpanCandidates suggested_spans(const Suggester& suggester, DocBatch docs);

// Throws Error(config) for a model without the parts that are run here.
WEFT_API void require_span_network(const Model& model);

// In training, of documents with at least one candidate: scores (spans, classes), and the backward
// pass from their gradient. `rows_before`: candidates of the batch before these, for the masks of
// layers that have a row for each.
WEFT_API Forward score_spans(Context& ctx, const Model& model, DocBatch docs,
                             const SpanCandidates& candidates, std::int64_t rows_before);

// In prediction: calls `take` with the number of a candidate and the scores of it and those behind
// it, f32 on the host, for parts of the candidates one after the other. Memory is bounded by a part
// and the token vectors.
using TakeScores = std::function<void(std::size_t first, const Tensor& scores)>;
WEFT_API void predict_spans(Context& ctx, const Model& model, DocBatch docs,
                            const SpanCandidates& candidates, const TakeScores& take);

// The memory of training: `suggester` says how many spans there are for each token.
WEFT_API LayerCost span_network_cost(const Model& model, const Suggester& suggester, double width);

}  // namespace weft
