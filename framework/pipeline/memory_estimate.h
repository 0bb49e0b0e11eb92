// Estimates of the memory of training, from the shapes of the layers.
#pragma once

#include <cstddef>
#include <span>

#include "framework/nn/model.h"
#include "framework/pipeline/language.h"
#include "registry/base/export.h"

namespace weft {

// Bytes that one pass forward and back keeps until the step ends: outputs that the backward pass
// needs, masks, and gradients.
struct TrainingBytes {
  double per_token = 0.0;
  double per_document = 0.0;  // of the padding between documents
  double per_pair = 0.0;      // of tokens of one document

  // Of documents of so many tokens each.
  WEFT_API double of(std::span<const std::size_t> lengths) const;
};

// An estimate that is rather too high than too low.
WEFT_API TrainingBytes training_bytes(const Model& model);
// The same for all enabled components.
WEFT_API TrainingBytes training_bytes(const Language& nlp);

// Bytes of the parameters of all components with what training keeps for each: moments, averages,
// and gradients of all shards that may run at the same time.
WEFT_API double trained_parameter_bytes(const Language& nlp);

// Bytes of the word vectors.
WEFT_API double vector_bytes(const Language& nlp);

}  // namespace weft
