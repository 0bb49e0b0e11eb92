// The mask of a dropout layer in a pass.
#pragma once

#include <optional>

#include "framework/nn/model.h"
#include "framework/ops/maxout_block.h"
#include "registry/base/export.h"

namespace weft {

// The factors of the layer `dropout` for its input (rows, width), of which the first row is number
// ctx.pass().rows_before() of the batch; an empty tensor if nothing is dropped.
WEFT_API Tensor dropout_mask(Context& ctx, const Model& dropout, Shape shape);

// The draws that such a mask is made of, for kernels that make it while they need it: on a device,
// where its numbers are random draws alone. Nothing if nothing is dropped.
WEFT_API std::optional<DropoutDraws> dropout_draws(Context& ctx, const Model& dropout,
                                                   std::int64_t width);

}  // namespace weft
