#include "framework/backends/cpu/gemm/plain_sgemm.h"

#include <algorithm>
#include <vector>

#include "framework/backends/cpu/base/clones.h"

namespace weft::cpu {
namespace {

WEFT_CPU_CLONES void add_scaled(std::int64_t n, float factor, const float* __restrict row,
                                float* __restrict sums) {
  for (std::int64_t j = 0; j < n; ++j) sums[j] += factor * row[j];
}

// Sixteen partial sums, which a vector unit adds to at once, and then those in their order.
WEFT_CPU_CLONES float dot(std::int64_t k, const float* __restrict a, const float* __restrict b) {
  constexpr std::int64_t kLanes = 16;
  float lanes[kLanes] = {};
  std::int64_t p = 0;
  for (; p + kLanes <= k; p += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[p + lane] * b[p + lane];
  }
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  for (; p < k; ++p) sum += a[p] * b[p];
  return sum;
}

void start(std::int64_t n, float beta, float* row) {
  if (beta == 0.0F) std::fill_n(row, n, 0.0F);  // whatever stands there, NaN too
  if (beta == 0.0F || beta == 1.0F) return;
  for (std::int64_t j = 0; j < n; ++j) row[j] *= beta;
}

}  // namespace

void plain_sgemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                 const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta,
                 float* c, std::int64_t ldc) {
  std::vector<float> column(transpose_a ? static_cast<std::size_t>(k) : 0);
  for (std::int64_t i = 0; i < m; ++i) {
    const float* left = a + i * lda;
    if (transpose_a) {
      for (std::int64_t p = 0; p < k; ++p) column[static_cast<std::size_t>(p)] = a[p * lda + i];
      left = column.data();
    }
    float* row = c + i * ldc;
    start(n, beta, row);
    if (transpose_b) {
      for (std::int64_t j = 0; j < n; ++j) row[j] += dot(k, left, b + j * ldb);
    } else {
      for (std::int64_t p = 0; p < k; ++p) add_scaled(n, left[p], b + p * ldb, row);
    }
  }
}

}  // namespace weft::cpu
