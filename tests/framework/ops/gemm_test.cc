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

}  // namespace
}  // namespace weft
