// Gradients of activations against differences; rows by vectors against single numbers.
#include "framework/ops/activation.h"

#include <gtest/gtest.h>

#include "framework/ops/context.h"

namespace weft {
namespace {

class ActivationTest : public testing::TestWithParam<Activation> {};

TEST_P(ActivationTest, SlopeIsTheDerivative) {
  Context ctx;
  const float step = 1e-2F;
  const Tensor x = Tensor::from<float>({1, 6}, {-3.0F, -0.7F, 0.3F, 1.1F, 4.0F, 21.0F});
  const auto value = [&](float shift) {
    Tensor moved = x.clone(), y = Tensor::zeros(x.shape());
    for (std::int64_t i = 0; i < x.size(); ++i) moved.data<float>()[i] += shift;
    ctx.run<ActivationForward>(GetParam(), moved, y.view());
    return y;
  };
  const Tensor y = value(0), above = value(step), below = value(-step);
  const Tensor dy = Tensor::from<float>({1, 6}, {1, 1, 1, 1, 1, 1});
  Tensor dx = Tensor::zeros(x.shape());
  ctx.run<ActivationBackward>(GetParam(), dy, x, y, dx.view());
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double numeric = (above.data<float>()[i] - below.data<float>()[i]) / (2.0 * step);
    EXPECT_NEAR(dx.data<float>()[i], numeric, 2e-3) << x.data<float>()[i];
  }
}

INSTANTIATE_TEST_SUITE_P(All, ActivationTest,
                         testing::Values(Activation::relu, Activation::mish, Activation::sigmoid,
                                         Activation::swish, Activation::gelu));

// 701 numbers: several pieces of a row and a rest.
TEST(ActivationOp, GeluOfARowIsThatOfItsNumbers) {
  Context ctx;
  const std::int64_t count = 701;
  Tensor x = Tensor::zeros({1, count}), dy = Tensor::zeros({1, count});
  for (std::int64_t i = 0; i < count; ++i) {
    x.data<float>()[i] = static_cast<float>(i - 350) / 50.0F;
    dy.data<float>()[i] = 1.0F + static_cast<float>(i % 3);
  }
  Tensor y = Tensor::zeros({1, count}), dx = Tensor::zeros({1, count});
  ctx.run<ActivationForward>(Activation::gelu, x, y.view());
  ctx.run<ActivationBackward>(Activation::gelu, dy, x, y, dx.view());
  for (std::int64_t i = 0; i < count; ++i) {
    const float at = x.data<float>()[i];
    EXPECT_NEAR(y.data<float>()[i], Gelu::value(at), 1e-6F) << at;
    EXPECT_NEAR(dx.data<float>()[i], dy.data<float>()[i] * Gelu::slope(at, 0), 3e-6F) << at;
  }
}

}  // namespace
}  // namespace weft
