// Clipping all gradients of a step together. Source: docs/precision.md, "Order of a step"; PyTorch,
// clip_grad_norm_.
#pragma once

#include <span>

#include "framework/nn/parameter.h"
#include "framework/training/optimizer.h"
#include "registry/base/export.h"

namespace weft {

// The norm over the gradients of all parameters, as they are read: unscaled where that was done.
// Sums are f64.
WEFT_API double global_norm(std::span<const NamedParameter> parameters, const Gradients& gradients);

// Multiplies all gradients by min(1, most / (norm + 1e-6)). Does nothing for a `most` of 0 and for
// a norm that is not finite.
WEFT_API void clip_globally(std::span<const NamedParameter> parameters, Gradients& gradients,
                            double most);

}  // namespace weft
