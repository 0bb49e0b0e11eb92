// Checking and unscaling gradients in one pass, and clipping what comes out.
// Sources: docs/precision.md, "Loss scaling" and "Order of a step".
#pragma once

#include <cstdint>
#include <span>

#include "framework/precision/format.h"
#include "registry/base/export.h"

namespace weft {

struct GradientCheck {
  bool finite = true;           // of the values as they came, before the multiplication
  double sum_of_squares = 0.0;  // of the values as they are left; of no use if not finite

  // Adds what was found in another tensor.
  void operator+=(const GradientCheck& other) {
    finite = finite && other.finite;
    sum_of_squares += other.sum_of_squares;
  }
};

// g = f32(g * inverse_scale) for every element. Infinities of both signs and NaN count alike.
// The sum is taken in f64 in an order that depends on the size alone.
WEFT_API GradientCheck check_and_unscale(std::span<float> gradient, float inverse_scale);

// The same for a gradient stored in `format` (f16 or bf16); the result goes to `unscaled`, which
// has its size.
WEFT_API GradientCheck check_and_unscale(NumberFormat format, std::span<const std::uint16_t> stored,
                                         std::span<float> unscaled, float inverse_scale);

// Whether no value stored in `format` (f16 or bf16) is an infinity or NaN.
WEFT_API bool is_all_finite(NumberFormat format, std::span<const std::uint16_t> stored);

// The factor of PyTorch's clip_grad_norm_: min(1, max_norm / (norm + 1e-6)). `norm` is over all
// parameters of an optimizer, after unscaling.
WEFT_API float clip_coefficient(double norm, double max_norm);

}  // namespace weft
