#include "framework/backends/cpu/gemm/plain_sgemm.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace weft::cpu {
namespace {

struct Case {
  bool transpose_a, transpose_b;
  std::int64_t m, n, k;
  float beta;
};

// Small whole numbers: every order of sums gives the same.
std::vector<float> numbers(std::int64_t count, int seed) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>((i * 7 + seed) % 13 - 6));
  }
  return values;
}

TEST(PlainSgemm, IsTheProductInEveryForm) {
  constexpr std::int64_t kGap = 3;  // between rows
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      for (const Case& size : {Case{transpose_a, transpose_b, 5, 7, 37, 0.0F},
                               Case{transpose_a, transpose_b, 1, 33, 16, 1.0F},
                               Case{transpose_a, transpose_b, 4, 1, 1, 0.5F},
                               Case{transpose_a, transpose_b, 2, 3, 0, 1.0F}}) {
        const std::int64_t lda = (transpose_a ? size.m : size.k) + kGap;
        const std::int64_t ldb = (transpose_b ? size.k : size.n) + kGap;
        const std::int64_t ldc = size.n + kGap;
        const auto a = numbers(lda * std::max(size.m, size.k), 1);
        const auto b = numbers(ldb * std::max(size.n, size.k), 2);
        auto c = numbers(ldc * size.m, 3);
        const auto before = c;
        if (size.beta == 0.0F) c[0] = std::numeric_limits<float>::quiet_NaN();
        plain_sgemm(transpose_a, transpose_b, size.m, size.n, size.k, a.data(), lda, b.data(), ldb,
                    size.beta, c.data(), ldc);
        for (std::int64_t i = 0; i < size.m; ++i) {
          for (std::int64_t j = 0; j < ldc; ++j) {
            const auto place = static_cast<std::size_t>(i * ldc + j);
            float wanted = before[place];
            if (j < size.n) {
              wanted *= size.beta;
              for (std::int64_t p = 0; p < size.k; ++p) {
                wanted += a[static_cast<std::size_t>(transpose_a ? p * lda + i : i * lda + p)] *
                          b[static_cast<std::size_t>(transpose_b ? j * ldb + p : p * ldb + j)];
              }
            }
            ASSERT_EQ(c[place], wanted) << transpose_a << transpose_b << ' ' << i << ' ' << j;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace weft::cpu
