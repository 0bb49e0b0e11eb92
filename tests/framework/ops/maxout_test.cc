// Maxout against plain loops.
#include "framework/ops/maxout.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

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

}  // namespace
}  // namespace weft
