// A faster way through a stack of residual maxout layers over windows: padding that
// nobody sees is not computed, and each layer is one pass over its rows, which see their windows by
// number. Rows are computed as they are without it; gradients of weights are sums over fewer rows
// of zeros.
#pragma once

#include "framework/nn/fused/maxout_parts.h"
#include "registry/base/export.h"

namespace weft {

// residual(chain(window, maxout)), by its layers.
struct WindowLayer {
  ModelPtr residual, window;
  MaxoutLayers maxout;
};

// Replaces the forward function of with_array(stack). The stack is `layer` itself, or a chain of
// `depth` copies of it. Where blocks do not run (see runs_blocks), and for a single array, the
// layers run as they are.
WEFT_API void run_by_block(Model& encoder, const ModelPtr& stack, const WindowLayer& layer,
                           int depth);

}  // namespace weft
