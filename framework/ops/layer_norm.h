// Layer normalisation. Ba, Kiros, Hinton (2016).
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// Added to the population variance, as Thinc does; others add 1e-5.
inline constexpr float kLayerNormEps = 1e-8F;

// y = (x - mean) / sqrt(variance + 1e-8) * gamma + beta for every row of x (n, d). stats (n, 2)
// keeps mean and 1 / sqrt(variance + 1e-8) for the backward pass.
struct LayerNormForward {
  static constexpr std::string_view name = "layer_norm_forward";
  static constexpr Category category = Category::f32;
  static constexpr bool follows_norm_output = true;
  using Fn = void(Stream&, ConstView x, ConstView gamma, ConstView beta, View y, View stats);
};

// dx (n, d) is written, d_gamma (d) and d_beta (d) are added to.
struct LayerNormBackward {
  static constexpr std::string_view name = "layer_norm_backward";
  static constexpr Category category = Category::f32;
  static constexpr bool follows_norm_output = true;
  using Fn = void(Stream&, ConstView dy, ConstView x, ConstView stats, ConstView gamma, View dx,
                  View d_gamma, View d_beta);
};

}  // namespace weft
