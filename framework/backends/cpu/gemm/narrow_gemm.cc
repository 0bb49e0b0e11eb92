#include "framework/backends/cpu/gemm/narrow_gemm.h"

#include <algorithm>

#include "framework/backends/cpu/base/clones.h"

namespace weft::cpu {

namespace {

// The panel of b, 128 x 48 numbers of f32 at most, is 24 KiB: it lies on the stack and in the first
// cache.
constexpr std::int64_t kWidest = 48, kDeepest = 128;
constexpr int kRows = 4;

struct Operands {
  std::int64_t m, n, k;
  const float* a;
  std::int64_t lda;
  const float* b;
  std::int64_t ldb;
  float beta;
  float* c;
  std::int64_t ldc;
};

// Rows `first` and the next of c, and columns up to kWidth. A row past the last is the last again.
// Inlined always, as what follows: neither would be built for each processor as its own function.
template <int kWidth>
[[gnu::always_inline]] inline void multiply_rows(const Operands& p, const float* panel,
                                                 std::int64_t first) {
  const float* rows[kRows];
  // A missing row is computed as a copy of the last one and never stored: the loop has constant
  // bounds.
  for (int r = 0; r < kRows; ++r) rows[r] = p.a + std::min(first + r, p.m - 1) * p.lda;
  float sums[kRows][kWidth] = {};
  for (std::int64_t i = 0; i < p.k; ++i) {
    for (int r = 0; r < kRows; ++r) {
      const float x = rows[r][i];
      for (int j = 0; j < kWidth; ++j) sums[r][j] += x * panel[i * kWidth + j];
    }
  }
  for (int r = 0; r < kRows && first + r < p.m; ++r) {
    float* c = p.c + (first + r) * p.ldc;
    for (std::int64_t j = 0; j < p.n; ++j) {
      c[j] = p.beta == 0.0F ? sums[r][j] : sums[r][j] + p.beta * c[j];
    }
  }
}

// b is turned into a panel of k rows first, with zeros behind its n columns: row by row of b, whose
// numbers lie side by side. Few rows of a follow, so that this is much of the time.
template <int kWidth>
[[gnu::always_inline]] inline void multiply_panel(const Operands& p) {
  alignas(64) float panel[kDeepest * kWidth];
  std::fill_n(panel, p.k * kWidth, 0.0F);
  for (std::int64_t j = 0; j < p.n; ++j) {
    const float* from = p.b + j * p.ldb;
    float* to = panel + j;
    for (std::int64_t i = 0; i < p.k; ++i) to[i * kWidth] = from[i];
  }
  for (std::int64_t first = 0; first < p.m; first += kRows) {
    multiply_rows<kWidth>(p, panel, first);
  }
}

WEFT_CPU_CLONES void multiply_narrow(const Operands& p) {
  // The width is a constant so that the sums stay in registers. It only adds columns of zeros: the
  // sum of a column is the same in every width.
  if (p.n <= 16) return multiply_panel<16>(p);
  if (p.n <= 32) return multiply_panel<32>(p);
  multiply_panel<kWidest>(p);
}

}  // namespace

bool is_narrow(std::int64_t n, std::int64_t k) {
  return n <= kWidest && k <= kDeepest;
}

void narrow_multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                     std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
                     std::int64_t ldc) {
  multiply_narrow({m, n, k, a, lda, b, ldb, beta, c, ldc});
}

}  // namespace weft::cpu
