// The matrix product of 16-bit inputs in the reference order: k ascending, one f32 accumulator per
// output, products exact. What kernels are compared with; far too slow for anything else.
// Source: docs/precision.md, "The same policy on a CPU".
#pragma once

#include <cstdint>
#include <span>

#include "framework/precision/format.h"
#include "registry/base/export.h"

namespace weft {

struct ProductShape {
  std::size_t rows;     // M
  std::size_t inner;    // K
  std::size_t columns;  // N
};

// `a` is M x K, `b` is K x N, both row-major bit patterns of `format` (f16 or bf16); `sums` takes
// the M x N accumulators. Throws Error(internal) if a size is wrong.
WEFT_API void reference_product(NumberFormat format, const ProductShape& shape,
                                std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                                std::span<float> sums);

}  // namespace weft
