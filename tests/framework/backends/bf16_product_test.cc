#include "framework/backends/cpu/bf16_product.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/run_formats.h"
#include "framework/ops/context.h"
#include "framework/ops/gemm.h"
#include "framework/ops/random.h"
#include "framework/precision/convert.h"

namespace weft {
namespace {

// A matrix of bf16 numbers in [-1, 1).
std::vector<float> matrix(std::int64_t size, std::uint64_t seed) {
  const RandomStream random(seed, 0, 1);
  std::vector<float> numbers(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 2 * random.uniform(i) - 1;
  round_to(NumberFormat::bf16, numbers);
  return numbers;
}

struct Size {
  std::int64_t m, n, k;
};

class Bf16ProductTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cpu::has_bf16_products()) GTEST_SKIP() << "no AVX512-BF16 here";
  }
};

// Within the bound of docs/precision.md for any order of the additions.
void compare(const Size& size, bool ta, bool tb, float beta) {
  const auto [m, n, k] = size;
  const std::vector<float> a = matrix(m * k, 1), b = matrix(k * n, 2);
  std::vector<float> c = matrix(m * n, 3);
  const std::vector<float> before = c;
  cpu::bf16_product(ta, tb, m, n, k, a.data(), ta ? m : k, b.data(), tb ? k : n, beta, c.data(), n);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double exact = 0.0, sizes = 0.0;
      for (std::int64_t p = 0; p < k; ++p) {
        const double x = a[static_cast<std::size_t>(ta ? p * m + i : i * k + p)];
        const double y = b[static_cast<std::size_t>(tb ? j * k + p : p * n + j)];
        exact += x * y;
        sizes += std::abs(x * y);
      }
      const auto at = static_cast<std::size_t>(i * n + j);
      const double old = static_cast<double>(beta) * before[at];
      EXPECT_NEAR(c[at], exact + old, 0x1p-21 * (sizes + std::abs(old)) + 1e-30)
          << m << " " << n << " " << k << " " << ta << tb << " at " << i << ", " << j;
    }
  }
}

TEST_F(Bf16ProductTest, IsTheProductAtEverySizeAndTransposition) {
  for (const Size& size : {Size{1, 1, 1}, Size{3, 5, 31}, Size{4, 4, 32}, Size{7, 9, 33},
                           Size{2, 17, 300}, Size{5, 3, 0}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        compare(size, ta, tb, 0.0F);
        compare(size, ta, tb, 1.0F);
      }
    }
  }
}

TEST_F(Bf16ProductTest, ReplacesWhateverWasThereWithoutBeta) {
  const float a = 2.0F, b = 3.0F;
  float c = NAN;
  cpu::bf16_product(false, false, 1, 1, 1, &a, 1, &b, 1, 0.0F, &c, 1);
  EXPECT_EQ(c, 6.0F);
}

TEST_F(Bf16ProductTest, ColumnsBesideTheResultAreLeftAlone) {
  const std::vector<float> a = matrix(2, 1), b = matrix(2, 2);
  std::vector<float> c(6, 7.0F);  // two rows of three, of which the first number is the result
  cpu::bf16_product(false, false, 2, 1, 1, a.data(), 1, b.data(), 1, 0.0F, c.data(), 3);
  EXPECT_EQ(c[1], 7.0F);
  EXPECT_EQ(c[2], 7.0F);
  EXPECT_EQ(c[5], 7.0F);
}

// What the setting does to a product: the instruction takes subnormal inputs as zero.
float product_of_a_subnormal(const std::function<void(PrecisionSettings&)>& change) {
  PrecisionSettings settings;
  change(settings);
  RunFormats formats(make_precision_policy(settings));
  Context ctx;
  ctx.follow(&formats);
  const Tensor x = Tensor::from<float>({1, 1}, {0x1p-130F});
  const Tensor w = Tensor::from<float>({1, 1}, {0x1p10F});
  Tensor y = Tensor::zeros({1, 1});
  ctx.run<Gemm>(x, Transpose::no, w, Transpose::yes, y.view(), 0.0F);
  return y.data<float>()[0];
}

TEST_F(Bf16ProductTest, RunsUseItWhereTheyAllowItAndInBf16Alone) {
  const auto at = [](const std::string& level, bool fast) {
    return product_of_a_subnormal([&](PrecisionSettings& settings) {
      settings.level = level;
      settings.fast_cpu = fast;
    });
  };
  EXPECT_EQ(at("bf16", false), 0x1p-120F);
  EXPECT_EQ(at("bf16", true), 0.0F);
  EXPECT_EQ(at("O0", true), 0x1p-120F);
  // A layer that computes in f32 does not use it.
  EXPECT_EQ(product_of_a_subnormal([](PrecisionSettings& settings) {
              settings.level = "bf16";
              settings.fast_cpu = true;
              settings.rules = {{{"match", "*"}, {"compute", "f32"}}};
            }),
            0x1p-120F);
  EXPECT_EQ(at("bf16", false), 0x1p-120F);  // and what comes after is as before
}

}  // namespace
}  // namespace weft
