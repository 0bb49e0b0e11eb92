// Steps that the sources of a parser's scoring network share. For them alone.
#pragma once

#include <cstdint>

#include "framework/nn/model.h"
#include "framework/ops/transition_steps.h"
#include "framework/parser/parser_network.h"

namespace weft {

// An array seen as (outer, axis, inner): the axes before and behind one are each taken together, so
// that one loop over blocks serves any axis.
struct AroundAxis {
  std::int64_t outer = 1, inner = 1;

  AroundAxis(const Tensor& array, int axis) {
    for (int a = 0; a < array.shape().rank(); ++a) {
      if (a < axis) outer *= array.dim(a);
      if (a > axis) inner *= array.dim(a);
    }
  }
};

// The weights of the lower layer as a matrix (features * hidden * pieces, width): the features'
// stand one below the other, so that one GEMM multiplies all tokens with all features at once.
Tensor lower_matrix(const Model& parser);

// The arrays of a record of so many rows, in the context's memory. The loss has no place yet.
TransitionRecord record_for(Context& ctx, const ScorerShape& shape, std::int64_t rows);

// From the gradient of the scores, which `result.record` holds, to those of all parameters, of the
// token vectors and of the pad. `mask` (rows, hidden or more of them) is the one that the hidden
// vectors were multiplied by; not looked at without an upper layer.
void go_back(Context& ctx, const Model& parser, const Tensor& vectors, const Tensor& mask,
             ParserGradient& result);

}  // namespace weft
