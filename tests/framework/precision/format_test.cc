#include "framework/precision/format.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "framework/tensor/rounding.h"

namespace weft {
namespace {

TEST(Format, LargestFiniteValuesAreTheLastBeforeInfinity) {
  EXPECT_EQ(f16_from_f32(finite_max(NumberFormat::f16)), 0x7bff);
  EXPECT_EQ(bf16_from_f32(finite_max(NumberFormat::bf16)), 0x7f7f);
  EXPECT_EQ(finite_max(NumberFormat::f32), std::numeric_limits<float>::max());
  EXPECT_EQ(tf32_from_f32(finite_max(NumberFormat::tf32)), finite_max(NumberFormat::tf32));
  EXPECT_EQ(finite_lowest(NumberFormat::f16), -65504.0F);
}

TEST(Format, SmallestValuesAreTheFirstCodes) {
  EXPECT_EQ(f16_from_f32(smallest_positive(NumberFormat::f16)), 0x0001);
  EXPECT_EQ(bf16_from_f32(smallest_positive(NumberFormat::bf16)), 0x0001);
  EXPECT_EQ(f16_from_f32(limits(NumberFormat::f16).smallest_normal), 0x0400);
  EXPECT_EQ(bf16_from_f32(limits(NumberFormat::bf16).smallest_normal), 0x0080);
}

TEST(Format, IntegersAreExactUpToTheLimitAndNotBeyond) {
  const auto exact16 = static_cast<float>(limits(NumberFormat::f16).exact_integers);
  EXPECT_EQ(f32_from_f16(f16_from_f32(exact16 - 1)), exact16 - 1);
  EXPECT_EQ(f32_from_f16(f16_from_f32(exact16 + 1)), exact16);
  const auto exact_bf16 = static_cast<float>(limits(NumberFormat::bf16).exact_integers);
  EXPECT_EQ(f32_from_bf16(bf16_from_f32(exact_bf16 - 1)), exact_bf16 - 1);
  EXPECT_EQ(f32_from_bf16(bf16_from_f32(exact_bf16 + 1)), exact_bf16);
}

TEST(Format, AMaskPlusAScoreStaysFinite) {
  const float mask = mask_value(NumberFormat::f16);
  EXPECT_TRUE(std::isfinite(f32_from_f16(f16_from_f32(mask - 30000.0F))));
  EXPECT_TRUE(std::isinf(f32_from_f16(f16_from_f32(finite_lowest(NumberFormat::f16) - 30000.0F))));
}

TEST(Format, EpsIsRaisedOnlyWhereTheFormatCannotUseIt) {
  EXPECT_EQ(safe_eps(NumberFormat::f16, 1e-8F), 0x1p-13F);
  EXPECT_EQ(safe_eps(NumberFormat::f16, 1e-3F), 1e-3F);
  EXPECT_EQ(safe_eps(NumberFormat::bf16, 1e-8F), 1e-8F);
  EXPECT_EQ(safe_eps(NumberFormat::f32, 0.0F), 0x1p-126F);
}

}  // namespace
}  // namespace weft
