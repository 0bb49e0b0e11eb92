// What happens to gradients on a device between the passes and the optimizer's step: passes over
// every array, and one number for each that is read when all have run. Source: docs/precision.md,
// "Loss scaling".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/ops/context.h"
#include "framework/training/optimizer.h"
#include "registry/export.h"

namespace weft {

struct UnscaledGradients {
  bool any = false;              // some parameter has a gradient
  std::vector<std::string> bad;  // names of those that hold a NaN or an infinity
};

// Looks at all gradients as they are, then multiplies them. Before that they are rounded to `type`.
WEFT_API UnscaledGradients unscale_on_device(Context& ctx,
                                             std::span<const NamedParameter> parameters,
                                             Gradients& gradients, float factor, DType type);

// Multiplies all gradients by min(1, most / (norm + 1e-6)) of their common norm, as clip_globally
// does on the CPU. Does nothing for a `most` of 0 and for a norm that is not finite.
WEFT_API void clip_on_device(Context& ctx, std::span<const NamedParameter> parameters,
                             Gradients& gradients, double most);

}  // namespace weft
