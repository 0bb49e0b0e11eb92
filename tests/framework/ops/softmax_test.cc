// Softmax against exponentials in double.
#include "framework/ops/softmax.h"

#include <cmath>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/expect_near.h"

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

}  // namespace
}  // namespace weft
