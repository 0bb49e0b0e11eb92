// Layer norm against plain loops.
#include "framework/ops/layer_norm.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/expect_near.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

TEST(LayerNormOp, HasMeanZeroAndVarianceOneWithItsEpsilonInside) {
  const std::int64_t n = 4, d = 37;
  Tensor x = random_tensor({n, d}, 1);
  for (std::int64_t j = 0; j < d; ++j) x.data<float>()[j] = 3.0F;  // no variance at all
  const Tensor gamma = random_tensor({d}, 2), beta = random_tensor({d}, 3);
  Context ctx;
  Tensor y = Tensor::zeros({n, d}), stats = Tensor::zeros({n, 2});
  ctx.run<LayerNormForward>(x, gamma, beta, y.view(), stats.view());
  std::vector<double> expected;
  for (std::int64_t i = 0; i < n; ++i) {
    const float* row = x.data<float>() + i * d;
    double mean = 0, variance = 0;
    for (std::int64_t j = 0; j < d; ++j) mean += row[j] / static_cast<double>(d);
    for (std::int64_t j = 0; j < d; ++j)
      variance += (row[j] - mean) * (row[j] - mean) / static_cast<double>(d);
    for (std::int64_t j = 0; j < d; ++j) {
      expected.push_back((row[j] - mean) / std::sqrt(variance + 1e-8) * gamma.data<float>()[j] +
                         beta.data<float>()[j]);
    }
    EXPECT_NEAR(stats.data<float>()[i * 2], mean, 1e-6);
  }
  EXPECT_NEAR(stats.data<float>()[1], 1e4, 1.0);
  expect_near(y, expected, 1e-5);
}

}  // namespace
}  // namespace weft
