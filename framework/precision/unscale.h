// Checking and unscaling gradients in one pass, and clipping what comes out.
// Sources: docs/precision.md, "Loss scaling" and "Order of a step".
#pragma once

#include <cstdint>
#include <span>

#include "framework/precision/format.h"
#include "registry/base/export.h"

namespace weft {

// g = f32(g * inverse_scale) for every element. Whether all of them, as they came, were neither an
// infinity nor NaN.
WEFT_API bool check_and_unscale(std::span<float> gradient, float inverse_scale);

// Whether no value stored in `format` (f16 or bf16) is an infinity or NaN.
WEFT_API bool is_all_finite(NumberFormat format, std::span<const std::uint16_t> stored);

// The factor of PyTorch's clip_grad_norm_: min(1, max_norm / (norm + 1e-6)). `norm` is over all
// parameters of an optimizer, after unscaling.
WEFT_API float clip_coefficient(double norm, double max_norm);

}  // namespace weft
