#include "framework/ops/gemm.h"

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

float at(const Tensor& t, Transpose transpose, std::int64_t i, std::int64_t j) {
  return transpose == Transpose::yes ? t.data<float>()[j * t.dim(1) + i]
                                     : t.data<float>()[i * t.dim(1) + j];
}

using Case = std::tuple<Transpose, Transpose, float>;
class GemmTest : public testing::TestWithParam<Case> {};

TEST_P(GemmTest, EqualsSumsInDouble) {
  const auto [ta, tb, beta] = GetParam();
  const std::int64_t m = 7, n = 5, k = 19;
  const Tensor a = random_tensor(ta == Transpose::yes ? Shape{k, m} : Shape{m, k}, 1);
  const Tensor b = random_tensor(tb == Transpose::yes ? Shape{n, k} : Shape{k, n}, 2);
  const Tensor before = random_tensor({m, n}, 3);
  Tensor c = before.clone();
  Context ctx;
  ctx.run<Gemm>(a, ta, b, tb, c.view(), beta);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = double{beta} * before.data<float>()[i * n + j];
      for (std::int64_t l = 0; l < k; ++l) sum += double{at(a, ta, i, l)} * at(b, tb, l, j);
      EXPECT_NEAR(c.data<float>()[i * n + j], sum, 1e-5) << i << " " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllForms, GemmTest,
                         testing::Combine(testing::Values(Transpose::no, Transpose::yes),
                                          testing::Values(Transpose::no, Transpose::yes),
                                          testing::Values(0.0F, 1.0F)));

TEST(GemmOp, WritesIntoColumnsOfAWiderMatrix) {
  const Tensor a = random_tensor({3, 4}, 1), b = random_tensor({2, 4}, 2);
  Tensor wide = Tensor::zeros({3, 6});
  Context ctx;
  ctx.run<Gemm>(a, Transpose::no, b, Transpose::yes, wide.view().columns(1, 2), 0.0F);
  Tensor narrow = Tensor::zeros({3, 2});
  ctx.run<Gemm>(a, Transpose::no, b, Transpose::yes, narrow.view(), 0.0F);
  for (std::int64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(wide.data<float>()[i * 6], 0.0F);
    EXPECT_EQ(wide.data<float>()[i * 6 + 1], narrow.data<float>()[i * 2]);
    EXPECT_EQ(wide.data<float>()[i * 6 + 2], narrow.data<float>()[i * 2 + 1]);
    EXPECT_EQ(wide.data<float>()[i * 6 + 3], 0.0F);
  }
}

// Rows `guard` ... of an array with that many rows of zeros before and behind.
constexpr std::int64_t kGuard = 2;
Tensor guarded(std::int64_t rows, std::int64_t width, std::uint64_t seed) {
  Tensor all = Tensor::zeros({rows + 2 * kGuard, width});
  all.rows(kGuard, kGuard + rows).copy_from(random_tensor({rows, width}, seed));
  return all;
}

class WindowAffineTest : public testing::TestWithParam<std::tuple<int, std::int64_t>> {};

// All three products against ones with windows written out.
TEST_P(WindowAffineTest, EqualsProductsOfWrittenOutWindows) {
  const auto [window, rows] = GetParam();
  const std::int64_t d = 3, o = 4, span = (2 * window + 1) * d;
  const Tensor padded = guarded(rows, d, 1);
  const Tensor x = padded.rows(kGuard, kGuard + rows);
  const Tensor w = random_tensor({o, span}, 2), b = random_tensor({o}, 3);
  const Tensor dy = random_tensor({rows, o}, 4);
  Tensor windows = Tensor::zeros({rows, span});
  for (std::int64_t t = 0; t < rows; ++t) {
    std::copy_n(padded.data<float>() + (t + kGuard - window) * d, span,
                windows.data<float>() + t * span);
  }
  Context ctx;
  Tensor y = Tensor::zeros({rows, o}), expected_y = Tensor::zeros({rows, o});
  ctx.run<WindowAffine>(x, window, w, b, y.view());
  ctx.run<Affine>(windows, w, b, expected_y.view());
  Tensor dw = Tensor::zeros({o, span}), expected_dw = Tensor::zeros({o, span});
  ctx.run<WindowAffineBackwardWeight>(dy, x, window, dw.view());
  ctx.run<Gemm>(dy, Transpose::yes, windows, Transpose::no, expected_dw.view(), 0.0F);
  Tensor d_padded = Tensor::zeros(padded.shape());
  Tensor dx = d_padded.rows(kGuard, kGuard + rows);
  ctx.run<WindowAffineBackwardInput>(dy, window, w, dx.view());
  Tensor d_windows = Tensor::zeros({rows, span});
  ctx.run<Gemm>(dy, Transpose::no, w, Transpose::no, d_windows.view(), 0.0F);
  Tensor expected_d = Tensor::zeros(padded.shape());
  for (std::int64_t t = 0; t < rows; ++t) {
    for (std::int64_t i = 0; i < span; ++i) {
      expected_d.data<float>()[(t + kGuard - window) * d + i] +=
          d_windows.data<float>()[t * span + i];
    }
  }
  for (std::int64_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(y.data<float>()[i], expected_y.data<float>()[i], 1e-5);
  }
  for (std::int64_t i = 0; i < dw.size(); ++i) {
    EXPECT_NEAR(dw.data<float>()[i], expected_dw.data<float>()[i], 1e-5);
  }
  for (std::int64_t i = 0; i < d_padded.size(); ++i) {
    EXPECT_NEAR(d_padded.data<float>()[i], expected_d.data<float>()[i], 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, WindowAffineTest,
                         testing::Combine(testing::Values(0, 1, 2),
                                          testing::Values<std::int64_t>(1, 2, 4, 5, 11)));

}  // namespace
}  // namespace weft
