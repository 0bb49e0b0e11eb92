// Softmax over the rows of a matrix.
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// y (n, d) = softmax of every row of x / temperature; the row's maximum is subtracted first.
struct SoftmaxForward {
  static constexpr std::string_view name = "softmax_forward";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, ConstView x, float temperature, View y);
};

// dx = gradient of x for y = softmax of x, row by row: y dy - y (sum of y dy).
struct SoftmaxBackward {
  static constexpr std::string_view name = "softmax_backward";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, ConstView dy, ConstView y, View dx);
};

}  // namespace weft
