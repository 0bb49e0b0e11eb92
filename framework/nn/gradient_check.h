// Compares the gradients that a layer gives with differences of its output: what every layer's test
// does, those of plugins included.
#pragma once

#include <cstdint>
#include <string>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

struct GradientCheckOptions {
  double step = 1e-3;      // by which each number is moved up and down
  double dropout = 0.0;    // masks are the same in all passes
  std::uint64_t seed = 1;  // of the weights that make one number of the output, and of masks
  std::size_t most = 200;  // numbers tried of each array, evenly spread
};

struct GradientCheckResult {
  // Largest difference, as a share of the largest gradient in its array (or of 1e-3, if that is
  // more).
  double worst = 0.0;
  std::string where;  // "W[17]", "input[3]"
};

// `input` is an array or a ragged array of f32 (checked too, unless the layer gives no gradient for
// it), or documents. Parameters must have values; they are put back.
WEFT_API GradientCheckResult check_gradients(Model& model, const Value& input,
                                             const GradientCheckOptions& options = {});

}  // namespace weft
