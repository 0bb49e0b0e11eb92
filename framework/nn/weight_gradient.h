// The gradient of the weights of an affine map.
#pragma once

#include "framework/nn/parameter.h"
#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

class Context;

// Adds dy^T x to the gradient of `weights`, whose elements are those of a matrix (o, i) row by row,
// with dy (n, o) the gradient of y = x w^T and x (n, i). The first GEMM of a step is written
// rather than added.
WEFT_API void add_weight_gradient(Context& ctx, const Parameter& weights, ConstView dy,
                                  ConstView x);

}  // namespace weft
