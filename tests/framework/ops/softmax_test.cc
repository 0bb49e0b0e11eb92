// Softmax against exponentials in double.
#include "framework/ops/softmax.h"

#include <cmath>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/backwards_tasks.h"
#include "tests/framework/ops/expect_near.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

TEST(SoftmaxOp, SumsToOneEvenForLargeInputs) {
  Context ctx;
  const Tensor x = Tensor::from<float>({2, 3}, {1000, 1001, 1000, 0, 1, 2});
  Tensor y = Tensor::zeros({2, 3});
  ctx.run<SoftmaxForward>(x, 1.0F, y.view());
  const double e = std::exp(1.0), sum = 1 + e + e * e;
  expect_near(y, {1 / (2 + e), e / (2 + e), 1 / (2 + e), 1 / sum, e / sum, e * e / sum}, 1e-6);
}

TEST(SoftmaxOp, RowsGoToSeveralThreads) {
  Context ctx;
  const Tensor x = random_tensor({90, 200}, 1);
  Tensor alone = Tensor::zeros({90, 200}), shared = Tensor::zeros({90, 200});
  ctx.run<SoftmaxForward>(x, 0.5F, alone.view());
  BackwardsTasks tasks;
  ctx.share({.tasks = &tasks.runner});
  ctx.run<SoftmaxForward>(x, 0.5F, shared.view());
  EXPECT_GT(tasks.most, 1U);
  EXPECT_EQ(std::memcmp(alone.data<float>(), shared.data<float>(), alone.bytes()), 0);
  ctx.share({});
  EXPECT_EQ(ctx.stream().tasks(), nullptr);
}

}  // namespace
}  // namespace weft
