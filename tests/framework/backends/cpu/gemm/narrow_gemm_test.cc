#include "framework/backends/cpu/gemm/narrow_gemm.h"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace weft::cpu {
namespace {

std::vector<float> some_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = uniform(random);
  return numbers;
}

TEST(NarrowGemm, IsTheMatrixProduct) {
  for (const int m : {1, 3, 4, 5, 17}) {
    for (const int n : {1, 10, 16, 17, 26, 32, 47, 48}) {
      for (const int k : {1, 7, 64, 128}) {
        const int lda = k + 3, ldb = k + 1, ldc = n + 2;
        const auto a = some_numbers(static_cast<std::size_t>(m * lda), 1);
        const auto b = some_numbers(static_cast<std::size_t>(n * ldb), 2);
        for (const float beta : {0.0F, 1.0F, 0.5F}) {
          const auto before = some_numbers(static_cast<std::size_t>(m * ldc), 3);
          auto c = before;
          narrow_multiply(m, n, k, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
          for (int i = 0; i < m * ldc; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const int row = i / ldc, column = i % ldc;
            if (column >= n) {
              ASSERT_EQ(c[at], before[at]) << "between the rows";
              continue;
            }
            double sum = beta * before[at];
            for (int x = 0; x < k; ++x) {
              sum += double{a[static_cast<std::size_t>(row * lda + x)]} *
                     b[static_cast<std::size_t>(column * ldb + x)];
            }
            ASSERT_NEAR(c[at], sum, 2e-5) << m << " " << n << " " << k << " " << beta;
          }
        }
      }
    }
  }
}

TEST(NarrowGemm, DoesNotReadWhatItReplaces) {
  const auto a = some_numbers(64, 1), b = some_numbers(10 * 64, 2);
  std::vector<float> c(10, std::nanf(""));
  narrow_multiply(1, 10, 64, a.data(), 64, b.data(), 64, 0.0F, c.data(), 10);
  for (const float number : c) EXPECT_TRUE(std::isfinite(number));
}

TEST(NarrowGemm, ARowDoesNotDependOnItsNeighbours) {
  constexpr int kRows = 9, kColumns = 26, kDepth = 64;
  const auto a = some_numbers(kRows * kDepth, 1), b = some_numbers(kColumns * kDepth, 2);
  std::vector<float> together(kRows * kColumns), alone(kColumns);
  narrow_multiply(kRows, kColumns, kDepth, a.data(), kDepth, b.data(), kDepth, 0.0F,
                  together.data(), kColumns);
  for (int row = 0; row < kRows; ++row) {
    narrow_multiply(1, kColumns, kDepth, a.data() + row * kDepth, kDepth, b.data(), kDepth, 0.0F,
                    alone.data(), kColumns);
    for (int j = 0; j < kColumns; ++j) {
      EXPECT_EQ(together[static_cast<std::size_t>(row * kColumns + j)],
                alone[static_cast<std::size_t>(j)]);
    }
  }
}

TEST(NarrowGemm, TakesFewColumnsOnly) {
  EXPECT_TRUE(is_narrow(1, 1));
  EXPECT_TRUE(is_narrow(48, 128));
  EXPECT_FALSE(is_narrow(49, 64));
  EXPECT_FALSE(is_narrow(10, 129));
}

}  // namespace
}  // namespace weft::cpu
