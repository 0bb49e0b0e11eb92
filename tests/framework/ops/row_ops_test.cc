// Maxout, layer norm, windows, elementwise ops, gathers, pools and softmax against plain loops.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/activation.h"
#include "framework/ops/context.h"
#include "framework/ops/gather.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout.h"
#include "framework/ops/reduce.h"
#include "framework/ops/softmax.h"
#include "framework/ops/window.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

void expect_near(const Tensor& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), static_cast<std::int64_t>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found.data<float>()[i], expected[i], tolerance) << i;
  }
}

class MaxoutPieces : public testing::TestWithParam<int> {};

TEST_P(MaxoutPieces, TakesTheFirstOfTheLargest) {
  const int pieces = GetParam();
  const std::int64_t n = 3, o = 21;
  Tensor z = random_tensor({n, o, pieces}, 1);
  for (int p = 0; p < pieces; ++p) z.data<float>()[p] = 0.5F;  // a tie
  Context ctx;
  Tensor y = Tensor::zeros({n, o}), winners = Tensor::zeros({n, o}, DType::u8);
  ctx.run<MaxoutForward>(z, y.view(), winners.view());
  const Tensor dy = random_tensor({n, o}, 2);
  Tensor dz = random_tensor({n, o, pieces}, 3);
  ctx.run<MaxoutBackward>(dy, winners, dz.view());
  EXPECT_EQ(winners.data<std::uint8_t>()[0], 0);
  for (std::int64_t i = 0; i < n * o; ++i) {
    const float* values = z.data<float>() + i * pieces;
    const auto* best = std::max_element(values, values + pieces);
    EXPECT_EQ(y.data<float>()[i], *best);
    EXPECT_EQ(winners.data<std::uint8_t>()[i], best - values);
    for (int p = 0; p < pieces; ++p) {
      EXPECT_EQ(dz.data<float>()[i * pieces + p], p == best - values ? dy.data<float>()[i] : 0.0F);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pieces, MaxoutPieces, testing::Values(1, 2, 3, 5));

TEST(LayerNormOp, HasMeanZeroAndVarianceOneWithItsEpsilonInside) {
  const std::int64_t n = 4, d = 37;
  Tensor x = random_tensor({n, d}, 1);
  for (std::int64_t j = 0; j < d; ++j) x.data<float>()[j] = 3.0F;  // no variance at all
  const Tensor gain = random_tensor({d}, 2), bias = random_tensor({d}, 3);
  Context ctx;
  Tensor y = Tensor::zeros({n, d}), stats = Tensor::zeros({n, 2});
  ctx.run<LayerNormForward>(x, gain, bias, y.view(), stats.view());
  std::vector<double> expected;
  for (std::int64_t i = 0; i < n; ++i) {
    const float* row = x.data<float>() + i * d;
    double mean = 0, variance = 0;
    for (std::int64_t j = 0; j < d; ++j) mean += row[j] / static_cast<double>(d);
    for (std::int64_t j = 0; j < d; ++j)
      variance += (row[j] - mean) * (row[j] - mean) / static_cast<double>(d);
    for (std::int64_t j = 0; j < d; ++j) {
      expected.push_back((row[j] - mean) / std::sqrt(variance + 1e-8) * gain.data<float>()[j] +
                         bias.data<float>()[j]);
    }
    EXPECT_NEAR(stats.data<float>()[i * 2], mean, 1e-6);
  }
  EXPECT_NEAR(stats.data<float>()[1], 1e4, 1.0);
  expect_near(y, expected, 1e-5);
}

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

TEST(ElementwiseOps, WorkOnViewsWithStrides) {
  Context ctx;
  Tensor wide = Tensor::from<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor two = Tensor::from<float>({2, 2}, {10, 20, 30, 40});
  ctx.run<AddInPlace>(wide.view().columns(1, 2), two);
  expect_near(wide, {1, 12, 23, 4, 5, 36, 47, 8}, 0);
  ctx.run<MultiplyInPlace>(wide.view(), Tensor::from<float>({1, 4}, {1, 2, 0, 1}));
  expect_near(wide, {1, 24, 0, 4, 5, 72, 0, 8}, 0);
  Tensor product = Tensor::zeros({2, 4});
  ctx.run<Multiply>(wide, wide, product.view());
  expect_near(product, {1, 576, 0, 16, 25, 5184, 0, 64}, 0);
  Tensor sums = Tensor::from<float>({4}, {1, 1, 1, 1});
  ctx.run<AddColumnSums>(wide, sums.view());
  expect_near(sums, {7, 97, 1, 13}, 0);
  Tensor copied = Tensor::zeros({2, 2});
  ctx.run<CopyRows>(wide.cview().columns(0, 2), copied.view());
  expect_near(copied, {1, 24, 5, 72}, 0);
}

TEST(GatherOps, RepeatAndAddUpRows) {
  Context ctx;
  const Tensor x = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  const Tensor rows = Tensor::from<std::int32_t>({3}, {1, 0, 1});
  Tensor y = Tensor::zeros({3, 2});
  ctx.run<GatherRows>(x, rows, y.view());
  expect_near(y, {3, 4, 1, 2, 3, 4}, 0);
  Tensor dx = Tensor::zeros({2, 2});
  ctx.run<ScatterAddRows>(y, rows, dx.view());
  expect_near(dx, {1, 2, 6, 8}, 0);
}

TEST(GatherOps, ANegativeNumberGivesZeros) {
  Context ctx;
  const Tensor x = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  Tensor y = Tensor::from<float>({3, 2}, {9, 9, 9, 9, 9, 9});
  ctx.run<GatherRows>(x, Tensor::from<std::int32_t>({3}, {-1, 1, -1}), y.view());
  expect_near(y, {0, 0, 3, 4, 0, 0}, 0);
}

TEST(PoolOps, MakeOneRowOfEachSequence) {
  Context ctx;
  const Tensor x = Tensor::from<float>({3, 2}, {1, 8, 3, 4, 5, 6});
  const std::vector<std::int64_t> lengths{2, 0, 1};
  const auto run = [&](Pool pool) {
    Tensor y = Tensor::zeros({3, 2}), winners = Tensor::zeros({3, 2}, DType::i32);
    ctx.run<PoolForward>(pool, x, lengths, y.view(), winners.view());
    Tensor dx = Tensor::zeros({3, 2});
    const Tensor dy = Tensor::from<float>({3, 2}, {10, 20, 30, 40, 50, 60});
    ctx.run<PoolBackward>(pool, dy, lengths, winners, dx.view());
    return std::pair(y, dx);
  };
  expect_near(run(Pool::sum).first, {4, 12, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::sum).second, {10, 20, 10, 20, 50, 60}, 0);
  expect_near(run(Pool::mean).first, {2, 6, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::mean).second, {5, 10, 5, 10, 50, 60}, 0);
  expect_near(run(Pool::max).first, {3, 8, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::max).second, {0, 20, 10, 0, 50, 60}, 0);
  expect_near(run(Pool::first).first, {1, 8, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::first).second, {10, 20, 0, 0, 50, 60}, 0);
  expect_near(run(Pool::last).first, {3, 4, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::last).second, {0, 0, 10, 20, 50, 60}, 0);
}

TEST(SoftmaxOp, SumsToOneEvenForLargeInputs) {
  Context ctx;
  const Tensor x = Tensor::from<float>({2, 3}, {1000, 1001, 1000, 0, 1, 2});
  Tensor y = Tensor::zeros({2, 3});
  ctx.run<SoftmaxForward>(x, 1.0F, y.view());
  const double e = std::exp(1.0), sum = 1 + e + e * e;
  expect_near(y, {1 / (2 + e), e / (2 + e), 1 / (2 + e), 1 / sum, e / sum, e * e / sum}, 1e-6);
}

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

TEST(Dropout, KeepsItsShareAndDependsOnSeedSiteAndPlaceAlone) {
  CounterMasks masks(3, 5);
  Tensor whole = Tensor::zeros({100, 100}), part = Tensor::zeros({7, 100});
  masks.fill("a/1/dropout", 0, 0.2, whole.view());
  masks.fill("a/1/dropout", 1300, 0.2, part.view());
  int kept = 0;
  for (std::int64_t i = 0; i < whole.size(); ++i) {
    const float value = whole.data<float>()[i];
    EXPECT_TRUE(value == 0.0F || value == 1.25F);
    kept += value != 0.0F;
  }
  EXPECT_NEAR(kept, 8000, 160);  // four standard deviations
  for (std::int64_t i = 0; i < part.size(); ++i) {
    EXPECT_EQ(part.data<float>()[i], whole.data<float>()[1300 + i]);
  }
}

}  // namespace
}  // namespace weft
