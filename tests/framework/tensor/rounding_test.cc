#include "framework/tensor/rounding.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace weft {
namespace {

// The two neighbours of `value` among the codes of fp16 and the nearer of them, by arithmetic in
// f64 alone: a second way to the same answer.
std::uint16_t nearest_f16(double value) {
  std::uint16_t below = 0;
  std::uint16_t above = 0x7c00;
  const double size = std::fabs(value);
  while (above - below > 1) {
    const auto middle = static_cast<std::uint16_t>((below + above) / 2);
    (static_cast<double>(f32_from_f16(middle)) <= size ? below : above) = middle;
  }
  const double low = f32_from_f16(below);
  const double high = above == 0x7c00 ? 65536.0 : static_cast<double>(f32_from_f16(above));
  const bool up = size - low > high - size || (size - low == high - size && (above & 1) == 0);
  return static_cast<std::uint16_t>((up ? above : below) | (std::signbit(value) ? 0x8000 : 0));
}

TEST(Rounding, EveryFp16CodeSurvivesTheWayThereAndBack) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto half = static_cast<std::uint16_t>(code);
    const bool is_nan = (code & 0x7fff) > 0x7c00;
    EXPECT_EQ(f16_from_f32(f32_from_f16(half)), is_nan ? f16_nan : half) << code;
  }
}

TEST(Rounding, EveryBf16CodeSurvivesTheWayThereAndBack) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto value = static_cast<std::uint16_t>(code);
    const bool is_nan = (code & 0x7fff) > 0x7f80;
    EXPECT_EQ(bf16_from_f32(f32_from_bf16(value)), is_nan ? bf16_nan : value) << code;
  }
}

TEST(Rounding, Fp16GoesToTheNearestOfItsNeighbours) {
  for (std::uint32_t code = 0; code < 0x7c00; ++code) {
    const float here = f32_from_f16(static_cast<std::uint16_t>(code));
    const float step =
        code + 1 == 0x7c00 ? 32.0F : f32_from_f16(static_cast<std::uint16_t>(code + 1)) - here;
    for (const float part : {0.25F, 0.5F, 0.75F}) {
      const float value = here + step * part;
      EXPECT_EQ(f16_from_f32(value), nearest_f16(value)) << code << " + " << part;
      const float before = std::nextafter(value, 0.0F);
      EXPECT_EQ(f16_from_f32(-before), nearest_f16(-static_cast<double>(before))) << code;
    }
  }
}

TEST(Rounding, TheEdgesOfFp16) {
  EXPECT_EQ(f16_from_f32(65519.996F), 0x7bff);
  EXPECT_EQ(f16_from_f32(65520.0F), 0x7c00);
  EXPECT_EQ(f16_from_f32(-std::numeric_limits<float>::max()), 0xfc00);
  EXPECT_EQ(f16_from_f32(0x1p-25F), 0x0000);
  EXPECT_EQ(f16_from_f32(0x1.000002p-25F), 0x0001);
  EXPECT_EQ(f16_from_f32(-0x1p-30F), 0x8000);
  EXPECT_EQ(f16_from_f32(std::numeric_limits<float>::denorm_min()), 0x0000);
}

TEST(Rounding, TheEdgesOfBf16) {
  EXPECT_EQ(bf16_from_f32(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(bf16_from_f32(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(bf16_from_f32(0x1p-133F), 0x0001);
  EXPECT_EQ(bf16_from_f32(0x1p-134F), 0x0000);
  EXPECT_EQ(bf16_from_f32(-std::numeric_limits<float>::infinity()), 0xff80);
}

TEST(Rounding, NanNeverBecomesInfinity) {
  const float signalling = std::bit_cast<float>(0x7f800001U);
  const float full = std::bit_cast<float>(0xffffffffU);
  for (const float nan : {signalling, full, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_EQ(f16_from_f32(nan), f16_nan);
    EXPECT_EQ(bf16_from_f32(nan), bf16_nan);
    EXPECT_TRUE(std::isnan(tf32_from_f32(nan)));
  }
  EXPECT_TRUE(std::isnan(f32_from_f16(0x7c01)));
}

TEST(Rounding, Tf32HasThreeRules) {
  const float tie = 1.0F + 0x1p-11F;
  EXPECT_EQ(tf32_from_f32(tie, Tf32Rounding::truncate), 1.0F);
  EXPECT_EQ(tf32_from_f32(tie, Tf32Rounding::nearest_even), 1.0F);
  EXPECT_EQ(tf32_from_f32(tie, Tf32Rounding::nearest_away), 1.0F + 0x1p-10F);
  EXPECT_EQ(tf32_from_f32(1.0F + 0x1p-12F), 1.0F);
  EXPECT_TRUE(std::isinf(tf32_from_f32(std::numeric_limits<float>::max())));
}

}  // namespace
}  // namespace weft
