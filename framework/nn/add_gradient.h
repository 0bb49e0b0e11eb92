// Additions of a backward pass to the gradients of parameters. The first one of a step is written
// rather than added, so that no array has to be zeros before.
#pragma once

#include "framework/nn/parameter.h"
#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

class Context;

// Adds dy^T x to the gradient of `weights`, whose elements are those of a matrix (o, i) row by row,
// with dy (n, o) the gradient of y = x w^T and x (n, i).
WEFT_API void add_weight_gradient(Context& ctx, const Parameter& weights, ConstView dy,
                                  ConstView x);
// Adds the sum of the rows of dy (n, o) to the gradient of `bias`, of o elements.
WEFT_API void add_bias_gradient(Context& ctx, const Parameter& bias, ConstView dy);
// Adds an array of the parameter's shape.
WEFT_API void add_gradient(Context& ctx, const Parameter& parameter, ConstView array);

}  // namespace weft
