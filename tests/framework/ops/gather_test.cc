// Gathered rows, and the sums of their gradients.
#include "framework/ops/gather.h"

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/expect_near.h"

namespace weft {
namespace {

TEST(GatherOps, RepeatAndAddUpRows) {
  Context ctx;
  const Tensor x = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  const Tensor rows = Tensor::from<std::int32_t>({3}, {1, 0, 1});
  Tensor y = Tensor::zeros({3, 2});
  ctx.run<GatherRows>(x, rows, y.view());
  expect_near(y, {3, 4, 1, 2, 3, 4}, 0);
  Tensor dx = Tensor::from<float>({3, 2}, {7, 7, 7, 7, 7, 7});
  ctx.run<ScatterAddRows>(y, rows, dx.view(), 0.0F);
  expect_near(dx, {1, 2, 6, 8, 0, 0}, 0);
  ctx.run<ScatterAddRows>(y, rows, dx.view(), 1.0F);
  expect_near(dx, {2, 4, 12, 16, 0, 0}, 0);
}

TEST(GatherOps, ANegativeNumberGivesZeros) {
  Context ctx;
  const Tensor x = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  Tensor y = Tensor::from<float>({3, 2}, {9, 9, 9, 9, 9, 9});
  ctx.run<GatherRows>(x, Tensor::from<std::int32_t>({3}, {-1, 1, -1}), y.view());
  expect_near(y, {0, 0, 3, 4, 0, 0}, 0);
}

}  // namespace
}  // namespace weft
