// The mask of a dropout layer in a pass.
#pragma once

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// What the layer `dropout` multiplies its input (rows, width) by, with the first row at
// ctx.pass().rows_before(); an empty tensor if nothing is dropped.
WEFT_API Tensor dropout_mask(Context& ctx, const Model& dropout, Shape shape);

}  // namespace weft
