#include "framework/precision/element_type.h"

#include <gtest/gtest.h>

#include "framework/tensor/rounding.h"

namespace weft {
namespace {

TEST(ElementType, FormatsAndTypesStandForEachOther) {
  for (const NumberFormat format : {NumberFormat::f32, NumberFormat::f16, NumberFormat::bf16}) {
    EXPECT_EQ(format_of(dtype_of(format)), format);
  }
  EXPECT_EQ(dtype_of(NumberFormat::tf32), DType::f32);
  EXPECT_TRUE(is_cast_type(DType::bf16));
  EXPECT_FALSE(is_cast_type(DType::f64));
  EXPECT_FALSE(is_cast_type(DType::u8));
}

TEST(CastTo, RoundsToNearestEvenAndBack) {
  const Tensor wide = Tensor::from<float>({2, 2}, {1.0F, 1.00048828125F, 65520.0F, 1e-8F});
  const Tensor low = cast_to(DType::f16, wide);
  EXPECT_EQ(low.dtype(), DType::f16);
  EXPECT_EQ(low.bytes(), wide.bytes() / 2);
  const Tensor back = cast_to(DType::f32, low);
  EXPECT_EQ(back.data<float>()[0], 1.0F);
  EXPECT_EQ(back.data<float>()[1], 1.0F);  // a tie: the even neighbour
  EXPECT_EQ(back.data<float>()[2], std::numeric_limits<float>::infinity());
  EXPECT_EQ(back.data<float>()[3], 0.0F);
}

TEST(CastTo, TheSameTypeIsTheSameTensor) {
  const Tensor wide = Tensor::from<float>({1}, {3.0F});
  EXPECT_EQ(cast_to(DType::f32, wide).cview().data, wide.cview().data);
  EXPECT_FALSE(cast_to(DType::f16, Tensor()));
}

TEST(CastRows, FollowsStridesOnBothSides) {
  const Tensor wide = Tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor low = Tensor::zeros({2, 4}, DType::bf16);
  cast_rows(wide.cview().columns(1, 2), low.view().columns(2, 2));
  const Tensor back = cast_to(DType::f32, low);
  const float expected[] = {0, 0, 2, 3, 0, 0, 5, 6};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(back.data<float>()[i], expected[i]) << i;
}

TEST(CastRows, GoesBetweenTheTwoLowFormats) {
  Tensor half = cast_to(DType::f16, Tensor::from<float>({2}, {1.5F, 1.0009765625F}));
  Tensor brain = Tensor::zeros({2}, DType::bf16);
  cast_rows(half, brain.view());
  const Tensor back = cast_to(DType::f32, brain);
  EXPECT_EQ(back.data<float>()[0], 1.5F);
  EXPECT_EQ(back.data<float>()[1], 1.0F);
}

}  // namespace
}  // namespace weft
