// The loss of the classifier.
#pragma once

#include <span>

#include "framework/ops/context.h"
#include "framework/tensor/tensor.h"

namespace topics {

inline constexpr int kNoLabel = -1;  // of a document whose label is not known

// Probabilities (documents, labels) of scores, on the host.
weft::Tensor probabilities(weft::Context& ctx, const weft::Tensor& scores);

struct Loss {
  double sum = 0;         // over the documents
  weft::Tensor d_scores;  // (documents, labels), times the context's loss scale
};

// The cross entropy of softmax: minus the logarithm of the true label's probability. A document
// without a label adds nothing.
Loss cross_entropy(weft::Context& ctx, const weft::Tensor& scores, std::span<const int> truth);

}  // namespace topics
