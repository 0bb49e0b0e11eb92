// The layers that a maxout block computes at once, by what they are to it.
#pragma once

#include <cstdint>

#include "framework/nn/model.h"

namespace weft {

// Layers of chain(normalized, dropout), with normalized = chain(affine, norm), as an architecture
// hands them over when it builds a node that runs them as a block.
struct MaxoutLayers {
  ModelPtr whole, normalized, affine, norm, dropout;
};

// The same in a pass: `maxout` and `norm` are there; `dropout` and, together, `window` and
// `residual` may be null.
struct MaxoutParts {
  const Model *maxout, *norm;
  const Model* dropout = nullptr;
  const Model *window = nullptr, *residual = nullptr;

  std::int64_t width() const { return maxout->param("W").value.dim(0); }
};

}  // namespace weft
