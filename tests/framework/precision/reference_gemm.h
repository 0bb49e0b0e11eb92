// The matrix product of 16-bit inputs in the reference order: k ascending, one f32 accumulator per
// output, products exact. Kernels are compared with it; it is far too slow for anything else.
// Source: docs/precision.md, "The same policy on a CPU".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/precision/convert.h"
#include "framework/precision/format.h"

namespace weft {

struct GemmShape {
  std::size_t rows;     // M
  std::size_t inner;    // K
  std::size_t columns;  // N
};

// `a` is M x K, `b` is K x N, both row-major bit patterns of `format` (f16 or bf16); `sums` takes
// the M x N accumulators.
inline void reference_gemm(NumberFormat format, const GemmShape& shape,
                           std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                           std::span<float> sums) {
  const auto [rows, inner, columns] = shape;
  std::vector<float> left(rows * inner);
  std::vector<float> right(inner * columns);
  widen(format, a, left);
  widen(format, b, right);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      float sum = 0.0F;
      for (std::size_t k = 0; k < inner; ++k) {
        sum += left[row * inner + k] * right[k * columns + column];
      }
      sums[row * columns + column] = sum;
    }
  }
}

}  // namespace weft
