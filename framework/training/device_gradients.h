// What happens to gradients on a device between the passes and the optimizer's step: one pass over
// all of them, of which the host reads one norm for each array, and factors that are applied where
// the gradients are read. Source: docs/precision.md, "Loss scaling".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/ops/context.h"
#include "framework/training/optimizer.h"
#include "registry/base/export.h"

namespace weft {

// What GradientNorms gives for each of some arrays, on the host.
struct FoundNorms {
  std::vector<double> squares;
  std::vector<std::int32_t> bad;
};

// Waits for the device, unless there is no array.
WEFT_API FoundNorms norms_on_device(Context& ctx, std::span<const NormArray> arrays);

struct UnscaledGradients {
  bool any = false;              // some parameter has a gradient
  std::vector<std::string> bad;  // names of those that hold a NaN or an infinity
};

// Looks at all gradients as they are, then multiplies them.
WEFT_API UnscaledGradients unscale_on_device(Context& ctx,
                                             std::span<const NamedParameter> parameters,
                                             Gradients& gradients, float factor);

// Multiplies all gradients by min(1, most / (norm + 1e-6)) of their common norm, as clip_globally
// does on the CPU. Does nothing for a `most` of 0 and for a norm that is not finite.
WEFT_API void clip_on_device(Context& ctx, std::span<const NamedParameter> parameters,
                             Gradients& gradients, double most);

}  // namespace weft
