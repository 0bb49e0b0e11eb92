// The block ops against the ops that they stand for, one after the other.
#include "framework/ops/maxout_block.h"

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout.h"
#include "framework/ops/reduce.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

constexpr std::int64_t kRows = 4, kWidth = 37;

void expect_equal(const Tensor& found, const Tensor& expected, const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::int64_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found.data<float>()[i], expected.data<float>()[i]) << what << " " << i;
  }
}

void expect_near(const Tensor& found, const Tensor& expected, const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::int64_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found.data<float>()[i], expected.data<float>()[i], 1e-5) << what << " " << i;
  }
}

struct Arrays {
  explicit Arrays(int pieces) : z(random_tensor({kRows, kWidth, pieces}, 1)) {}

  Tensor z;
  Tensor x = random_tensor({6, kWidth}, 2), mask = random_tensor({9, kWidth}, 3);
  Tensor gain = random_tensor({kWidth}, 4), bias = random_tensor({kWidth}, 5);
  Tensor place = Tensor::from<std::int32_t>({kRows}, {8, 0, 3, 4});
  Tensor seen = Tensor::from<std::int32_t>({kRows, 3}, {0, 5, -1, 1, -1, 2, 0, 0, 1, -1, 2, 3});
  Tensor largest = Tensor::zeros({kRows, kWidth}), y = Tensor::zeros({kRows, kWidth});
  Tensor winners = Tensor::zeros({kRows, kWidth}, DType::u8), stats = Tensor::zeros({kRows, 2});

  MaxoutBlockRows rows() const {
    return {gain.cview(), bias.cview(), mask.cview(), place.cview(), seen.cview()};
  }
  // Row numbers in the middle of those that are seen.
  Tensor middle() const { return Tensor::from<std::int32_t>({kRows}, {5, -1, 0, 2}); }
  Tensor masks_of_rows(Context& ctx) const {
    Tensor chosen = Tensor::zeros({kRows, kWidth});
    ctx.run<GatherRows>(mask, place, chosen.view());
    return chosen;
  }
};

class MaxoutBlock : public testing::TestWithParam<int> {};

TEST_P(MaxoutBlock, GivesWhatItsPartsGive) {
  Arrays arrays(GetParam()), plain(GetParam());
  Context ctx;
  ctx.run<MaxoutBlockForward>(arrays.z, arrays.x, arrays.rows(), arrays.largest.view(),
                              arrays.winners.view(), arrays.stats.view(), arrays.y.view());
  ctx.run<MaxoutForward>(plain.z, plain.largest.view(), plain.winners.view());
  ctx.run<LayerNormForward>(plain.largest, plain.gain, plain.bias, plain.y.view(),
                            plain.stats.view());
  ctx.run<MultiplyInPlace>(plain.y.view(), plain.masks_of_rows(ctx));
  Tensor added = Tensor::zeros({kRows, kWidth});
  ctx.run<GatherRows>(plain.x, plain.middle(), added.view());
  ctx.run<AddInPlace>(plain.y.view(), added);
  expect_equal(arrays.largest, plain.largest, "largest");
  expect_equal(arrays.stats, plain.stats, "stats");
  expect_equal(arrays.y, plain.y, "y");
  for (std::int64_t i = 0; i < kRows * kWidth; ++i) {
    ASSERT_EQ(arrays.winners.data<std::uint8_t>()[i], plain.winners.data<std::uint8_t>()[i]);
  }
}

TEST_P(MaxoutBlock, GoesBackAsItsPartsDo) {
  Arrays arrays(GetParam());
  Context ctx;
  ctx.run<MaxoutBlockForward>(arrays.z, arrays.x, arrays.rows(), arrays.largest.view(),
                              arrays.winners.view(), arrays.stats.view(), arrays.y.view());
  const Tensor dy = random_tensor({kRows, kWidth}, 6);
  Tensor dz = random_tensor(arrays.z.shape(), 7), dz_plain = random_tensor(arrays.z.shape(), 8);
  Tensor d_gain = random_tensor({kWidth}, 9), d_bias = random_tensor({kWidth}, 10);
  Tensor d_shift = random_tensor({kWidth * GetParam()}, 11);
  Tensor gain_plain = d_gain.clone(), bias_plain = d_bias.clone(), shift_plain = d_shift.clone();
  ctx.run<MaxoutBlockBackward>(dy, arrays.largest, arrays.winners, arrays.stats, arrays.rows(),
                               dz.view(), d_gain.view(), d_bias.view(), d_shift.view());
  Tensor dropped = dy.clone(), d_largest = Tensor::zeros({kRows, kWidth});
  ctx.run<MultiplyInPlace>(dropped.view(), arrays.masks_of_rows(ctx));
  ctx.run<LayerNormBackward>(dropped, arrays.largest, arrays.stats, arrays.gain, d_largest.view(),
                             gain_plain.view(), bias_plain.view());
  ctx.run<MaxoutBackward>(d_largest, arrays.winners, dz_plain.view());
  ctx.run<AddColumnSums>(dz_plain.reshaped({kRows, kWidth * GetParam()}), shift_plain.view());
  expect_equal(dz, dz_plain, "dz");
  expect_equal(d_gain, gain_plain, "gain");
  expect_equal(d_bias, bias_plain, "bias");
  expect_near(d_shift, shift_plain, "shift");
}

INSTANTIATE_TEST_SUITE_P(Pieces, MaxoutBlock, testing::Values(1, 2, 3, 5));

TEST(MaxoutBlockOp, NothingIsDroppedOrAddedWhereNothingIsGiven) {
  Arrays arrays(3);
  const MaxoutBlockRows rows{arrays.gain.cview(), arrays.bias.cview(), {}, {}, {}};
  Context ctx;
  ctx.run<MaxoutBlockForward>(arrays.z, ConstView(), rows, arrays.largest.view(),
                              arrays.winners.view(), arrays.stats.view(), arrays.y.view());
  Tensor y = Tensor::zeros({kRows, kWidth}), stats = Tensor::zeros({kRows, 2});
  ctx.run<LayerNormForward>(arrays.largest, arrays.gain, arrays.bias, y.view(), stats.view());
  expect_equal(arrays.y, y, "y");
}

TEST(WindowRowsOp, GradientsGoToTheRowsThatWereSeen) {
  Context ctx;
  const Tensor dy = Tensor::from<float>({2, 1}, {1, 2});
  const Tensor d_windows = Tensor::from<float>({2, 3}, {4, 8, 16, 32, 64, 128});
  const Tensor seen = Tensor::from<std::int32_t>({2, 3}, {-1, 0, 1, 1, -1, 0});
  Tensor dx = random_tensor({3, 1}, 1);
  ctx.run<WindowRowsBackward>(dy, d_windows, seen, dx.view());
  EXPECT_EQ(dx.data<float>()[0], 1 + 8 + 128);
  EXPECT_EQ(dx.data<float>()[1], 16 + 32);
  EXPECT_EQ(dx.data<float>()[2], 0);
}

}  // namespace
}  // namespace weft
