#include "framework/ops/rank_one_gemm.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

std::vector<float> added_to(Context& ctx, Tensor matrix) {
  matrix = ctx.placed(matrix);
  add_rank_one(ctx, ctx.placed(Tensor::from<float>({1, 2, 1}, {2, -1})),
               ctx.placed(Tensor::from<float>({1, 2}, {3, 5})), matrix);
  return ctx.numbers(matrix.reshaped({2, 2}));
}

TEST(RankOneGemm, IsAddedToTheMatrix) {
  Context ctx;
  EXPECT_EQ(added_to(ctx, Tensor::from<float>({1, 2, 1, 2}, {1, 1, 1, 1})),
            (std::vector<float>{7, 11, -2, -4}));
}

TEST(RankOneGemm, IsRoundedOnceWhereTheMatrixIsNarrow) {
  Context ctx;
  const Tensor matrix = cast_to(DType::bf16, Tensor::from<float>({2, 2}, {256, 1, 1, 1}));
  EXPECT_EQ(added_to(ctx, matrix), (std::vector<float>{262, 11, -2, -4}));
}

TEST(RankOneGemm, IsAddedOnADeviceToo) {
  testing::FakeDevice device;
  Context ctx(device.make_stream(0));
  EXPECT_EQ(added_to(ctx, Tensor::from<float>({1, 2, 1, 2}, {1, 1, 1, 1})),
            (std::vector<float>{7, 11, -2, -4}));
}

}  // namespace
}  // namespace weft
