// A faster way on the CPU through a stack of residual maxout layers over windows: padding that
// nobody sees is not computed, and each layer is one pass over its rows, which see their windows by
// number. Rows are computed as they are without it;
// gradients of weights are sums over fewer rows of zeros.
#pragma once

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// Replaces the forward function of with_array(residual(chain(expand_window, ((maxout, layer norm),
// dropout)))), or, for a depth above one, of so many residual layers in a chain. Where a precision
// policy is followed, on a device, where somebody watches the layers, and for a single array the
// layers run as they are.
WEFT_API void run_by_block(Model& encoder, int window, int depth);

}  // namespace weft
