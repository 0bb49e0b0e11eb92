// The loss of a text classifier: squared differences of scores and truth.
#pragma once

#include <span>
#include <vector>

#include "framework/ops/context.h"
#include "framework/tensor/tensor.h"

namespace weft {

struct CategoryLoss {
  double sum = 0.0;  // of the squares
  Tensor d_scores;   // score - truth, 0 where the truth is not known; times the loss scale
};

// `scores` (documents, labels) on the host in f32; `truth` as many numbers, kNoTruth where it is
// not known. Unknown ones count as 0 where `exclusive`. Source: spaCy 3.8;
// docs/text-classification.md, section 4.
CategoryLoss category_loss(Context& ctx, const Tensor& scores, std::span<const float> truth,
                           bool exclusive);

}  // namespace weft
