// The ops Gemm (general matrix multiplication) and Affine.
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
  static double flops(ConstView a, Transpose transpose_a, ConstView, Transpose, View c, float) {
    const std::int64_t k = transpose_a == Transpose::yes ? a.rows() : a.cols();
    return 2.0 * static_cast<double>(c.size()) * static_cast<double>(k);
  }
};

// y (n, o) = x (n, i) w^T + b, with w (o, i) and b (o): an affine layer.
struct Affine {
  static constexpr std::string_view name = "affine";
  static constexpr Category category = Category::low;
  using Fn = void(Stream&, ConstView x, ConstView w, ConstView b, View y);
  static double flops(ConstView x, ConstView, ConstView, View y) {
    return 2.0 * static_cast<double>(y.size()) * static_cast<double>(x.cols());
  }
};

}  // namespace weft
