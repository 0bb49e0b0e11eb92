// Windows of rows, and the sums of their gradients.
#include "framework/ops/window.h"

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/expect_near.h"

namespace weft {
namespace {

TEST(WindowOps, WriteOutNeighboursAndAddThemUpAgain) {
  Context ctx;
  const Tensor x = Tensor::from<float>({3, 1}, {1, 2, 3});
  Tensor y = Tensor::zeros({3, 3});
  ctx.run<WindowForward>(x, 1, y.view());
  expect_near(y, {0, 1, 2, 1, 2, 3, 2, 3, 0}, 0);
  const Tensor dy = Tensor::from<float>({3, 3}, {1, 2, 4, 8, 16, 32, 64, 128, 256});
  Tensor dx = Tensor::zeros({3, 1});
  ctx.run<WindowBackward>(dy, 1, dx.view());
  expect_near(dx, {2 + 8, 4 + 16 + 64, 32 + 128}, 0);
}

}  // namespace
}  // namespace weft
