// The gold spans among the candidates of a span categorizer, and its loss (docs/spans.md, section
// 3).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "components/pipes/span_network.h"
#include "framework/ops/context.h"
#include "framework/tagging/label_list.h"
#include "framework/text/example.h"

namespace weft {

// The candidates that are gold spans, by their numbers, each with a label; no pair twice.
using SpanTruth = std::vector<std::pair<std::int64_t, std::int32_t>>;

// Of the references' groups of that key, as far as their spans lie on the predicted tokens. Of
// equal candidates of a document the last one counts. Throws Error(data) with the place of the
// example for a label that is none of `labels`.
SpanTruth span_truth(std::span<Example* const> examples, const SpanCandidates& candidates,
                     const std::string& spans_key, const LabelList& labels);

struct SpanLoss {
  double sum = 0.0;  // of the squares
  Tensor d_scores;   // of the device; times the loss scale
};

// `scores` (candidates, classes) f32 on the host. With `no_label` the last column is the truth of
// candidates that are no gold span, and their part is multiplied by `negative_weight`.
SpanLoss span_loss(Context& ctx, const Tensor& scores, const SpanTruth& truth, bool no_label,
                   double negative_weight);

}  // namespace weft
