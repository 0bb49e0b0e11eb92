// Matrix products.
#pragma once

#include <cstdint>
#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

enum class Transpose : std::uint8_t { no, yes };

// c (m, n) = op(a) op(b) + beta c, with op(a) (m, k) and op(b) (k, n). Views are taken as matrices
// of rows() by cols(). beta 0 replaces whatever c holds.
struct Gemm {
  static constexpr std::string_view name = "gemm";
  static constexpr Category category = Category::low;
  using Fn = void(Stream&, ConstView a, Transpose transpose_a, ConstView b, Transpose transpose_b,
                  View c, float beta);
};

// y (n, o) = x (n, i) w^T + b, with w (o, i) and b (o): an affine layer.
struct Affine {
  static constexpr std::string_view name = "affine";
  static constexpr Category category = Category::low;
  using Fn = void(Stream&, ConstView x, ConstView w, ConstView b, View y);
};

// The products of a window layer on rows x (n, d) whose window of 2w+1 rows, centred on each row,
// is one row of (2w+1) d numbers. At least w rows before and behind x belong to the same memory and
// count as neighbours: they hold zeros at the ends of an array. No window is ever copied.
// y (n, o) = window(x) w^T + b, with w (o, (2w+1) d).
struct WindowAffine {
  static constexpr std::string_view name = "window_affine";
  static constexpr Category category = Category::low;
  using Fn = void(Stream&, ConstView x, int window, ConstView w, ConstView b, View y);
};
// Adds the gradient of x; that of the neighbours outside goes to the rows before and behind dx.
struct WindowAffineBackwardInput {
  static constexpr std::string_view name = "window_affine_backward_input";
  static constexpr Category category = Category::low;
  using Fn = void(Stream&, ConstView dy, int window, ConstView w, View dx);
};
// Adds the gradient of w.
struct WindowAffineBackwardWeight {
  static constexpr std::string_view name = "window_affine_backward_weight";
  static constexpr Category category = Category::low;
  using Fn = void(Stream&, ConstView dy, ConstView x, int window, View dw);
};

}  // namespace weft
