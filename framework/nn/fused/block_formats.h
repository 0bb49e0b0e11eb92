// The number formats of a maxout block in a pass: those that the ops of its layers would be given
// by the precision policy, each in the name of its layer (docs/precision.md).
#pragma once

#include "framework/nn/fused/maxout_parts.h"
#include "framework/ops/maxout_block.h"

namespace weft {

// For an input of type `x`; `drops`: whether there is a mask. Gradients are left out.
MaxoutBlockFormats forward_formats(Context& ctx, const MaxoutParts& parts, DType x, bool drops);

// Adds those of the gradients, for that of the output in type `dy`.
void add_backward_formats(Context& ctx, const MaxoutParts& parts, DType x, DType dy, bool drops,
                          MaxoutBlockFormats& formats);

}  // namespace weft
