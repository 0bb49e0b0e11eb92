#include "framework/ops/rank_one_gemm.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/framework/devices/fake_device.h"
#include "tests/framework/ops/random_tensor.h"

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

// Vectors of the loop must not contract both to one operation.
TEST(RankOneGemm, ProductsAreRoundedBeforeTheyAreAdded) {
  constexpr std::int64_t kRows = 13, kWidth = 21;
  const Tensor column = random_tensor({kRows}, 1), row = random_tensor({kWidth}, 2);
  Tensor matrix = random_tensor({kRows, kWidth}, 3);
  const Tensor before = matrix.clone();
  Context ctx;
  add_rank_one(ctx, column, row, matrix);
  for (std::int64_t i = 0; i < matrix.size(); ++i) {
    const volatile float product = column.data<float>()[i / kWidth] * row.data<float>()[i % kWidth];
    ASSERT_EQ(matrix.data<float>()[i], before.data<float>()[i] + product) << i;
  }
}

TEST(RankOneGemm, IsAddedOnADeviceToo) {
  testing::FakeDevice device;
  Context ctx(device.make_stream(0));
  EXPECT_EQ(added_to(ctx, Tensor::from<float>({1, 2, 1, 2}, {1, 1, 1, 1})),
            (std::vector<float>{7, 11, -2, -4}));
}

}  // namespace
}  // namespace weft
