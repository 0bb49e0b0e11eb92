// Four pools of overlapping spans against numbers by hand.
#include "framework/ops/span_pool.h"

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/expect_near.h"

namespace weft {
namespace {

TEST(SpanPool, MakesOneRowOfEachSpanAndSharesItsGradientOut) {
  Context ctx;
  const Tensor x = Tensor::from<float>({3, 2}, {1, 8, 3, 4, 3, 6});
  const Tensor spans = Tensor::from<std::int32_t>({2, 2}, {0, 3, 1, 2});
  Tensor y = Tensor::zeros({2, 8}), winners = Tensor::zeros({2, 2}, DType::i32);
  ctx.run<SpanPoolForward>(x, spans, y.view(), winners.view());
  // last, first, mean, largest
  expect_near(y, {3, 6, 1, 8, 7.0F / 3, 6, 3, 8, 3, 4, 3, 4, 3, 4, 3, 4}, 1e-6);
  // Of equal numbers the first one is the largest.
  EXPECT_EQ(winners.data<std::int32_t>()[0], 1);
  EXPECT_EQ(winners.data<std::int32_t>()[1], 0);
  const Tensor dy = Tensor::from<float>(
      {2, 8}, {10, 20, 30, 40, 3, 6, 50, 60, 1, 2, 100, 200, 1000, 2000, 10000, 20000});
  Tensor dx = Tensor::from<float>({3, 2}, {9, 9, 9, 9, 9, 9});
  ctx.run<SpanPoolBackward>(dy, spans, winners, dx.view());
  expect_near(dx, {31, 102, 1 + 50 + 11101, 2 + 22202, 11, 22}, 1e-3);
}

TEST(SpanPool, WithoutSpansTheGradientIsZero) {
  Context ctx;
  const Tensor x = Tensor::from<float>({1, 2}, {1, 2});
  const Tensor spans = Tensor::zeros({0, 2}, DType::i32);
  Tensor y = Tensor::zeros({0, 8}), winners = Tensor::zeros({0, 2}, DType::i32);
  ctx.run<SpanPoolForward>(x, spans, y.view(), winners.view());
  Tensor dx = Tensor::from<float>({1, 2}, {9, 9});
  ctx.run<SpanPoolBackward>(y, spans, winners, dx.view());
  expect_near(dx, {0, 0}, 0);
}

}  // namespace
}  // namespace weft
