// The mask of a dropout layer in a pass.
#pragma once

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// The factors of the layer `dropout` for its input (rows, width), of which the first row is number
// ctx.pass().rows_before() of the batch; an empty tensor if nothing is dropped.
WEFT_API Tensor dropout_mask(Context& ctx, const Model& dropout, Shape shape);

}  // namespace weft
