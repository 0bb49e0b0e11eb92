#include "framework/backends/cpu/bf16_product.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <vector>

#include "framework/precision/convert.h"
#include "registry/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weft::cpu {

bool has_bf16_products() {
  return best_conversion_path() == ConversionPath::vector16;
}

#if defined(__x86_64__)

namespace {

constexpr std::int64_t kNumbers = 32;  // of bf16 in a register
constexpr std::int64_t kColumns = 4;   // sums side by side

std::int64_t padded(std::int64_t size, std::int64_t to) {
  return (size + to - 1) / to * to;
}

// A matrix of bf16 patterns, row by row, filled up with zeros.
class Packed {
 public:
  Packed(std::int64_t rows, std::int64_t width)
      : width_(padded(width, kNumbers)),
        numbers_(static_cast<std::size_t>(padded(rows, kColumns) * width_)) {}

  // Element (i, j) is from[i * down + j * across].
  void fill(const float* from, std::int64_t down, std::int64_t across, std::int64_t rows,
            std::int64_t width) {
    for (std::int64_t i = 0; i < rows; ++i) {
      std::uint16_t* to = numbers_.data() + i * width_;
      for (std::int64_t j = 0; j < width; ++j) {
        to[j] = static_cast<std::uint16_t>(
            std::bit_cast<std::uint32_t>(from[i * down + j * across]) >> 16);
      }
    }
  }
  std::int64_t width() const { return width_; }
  const std::uint16_t* row(std::int64_t i) const { return numbers_.data() + i * width_; }

 private:
  std::int64_t width_;
  std::vector<std::uint16_t> numbers_;
};

// The products of a row of `a` with kColumns rows of `b`.
__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) void dot_products(
    const Packed& a, std::int64_t i, const Packed& b, std::int64_t j, float* sums) {
  __m512 partial[kColumns] = {};
  for (std::int64_t p = 0; p < a.width(); p += kNumbers) {
    const auto x = (__m512bh)_mm512_loadu_si512(a.row(i) + p);
    for (std::int64_t column = 0; column < kColumns; ++column) {
      const auto y = (__m512bh)_mm512_loadu_si512(b.row(j + column) + p);
      partial[column] = _mm512_dpbf16_ps(partial[column], x, y);
    }
  }
  for (std::int64_t column = 0; column < kColumns; ++column) {
    float lanes[16];
    _mm512_storeu_ps(lanes, partial[column]);
    sums[column] = std::accumulate(std::begin(lanes), std::end(lanes), 0.0F);
  }
}

}  // namespace

void bf16_product(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n,
                  std::int64_t k, const float* a, std::int64_t lda, const float* b,
                  std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  Packed rows(m, k), columns(n, k);
  rows.fill(a, transpose_a ? 1 : lda, transpose_a ? lda : 1, m, k);
  columns.fill(b, transpose_b ? ldb : 1, transpose_b ? 1 : ldb, n, k);
  float sums[kColumns];
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; j += kColumns) {
      dot_products(rows, i, columns, j, sums);
      float* to = c + i * ldc + j;
      for (std::int64_t column = 0; column < std::min(kColumns, n - j); ++column) {
        to[column] = sums[column] + (beta == 0.0F ? 0.0F : beta * to[column]);
      }
    }
  }
}

#else

void bf16_product(bool, bool, std::int64_t, std::int64_t, std::int64_t, const float*, std::int64_t,
                  const float*, std::int64_t, float, float*, std::int64_t) {
  throw Error(ErrorKind::internal, "this processor has no bf16 products");
}

#endif

}  // namespace weft::cpu
