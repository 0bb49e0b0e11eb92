#include "framework/precision/unscale.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "framework/precision/convert.h"

namespace weft {
namespace {

TEST(Unscale, Multiplies) {
  for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 1000U}) {
    std::vector<float> gradient(size, 3.0F * 1024.0F);
    EXPECT_TRUE(check_and_unscale(gradient, 1.0F / 1024.0F));
    EXPECT_EQ(gradient, std::vector<float>(size, 3.0F));
  }
}

TEST(Unscale, FindsANonFiniteValueAtEveryPlace) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (std::size_t place = 0; place < 21; ++place) {
      std::vector<float> gradient(21, 1.0F);
      gradient[place] = bad;
      EXPECT_FALSE(check_and_unscale(gradient, 1.0F)) << place;
    }
  }
}

// The largest finite value is no overflow, and an overflow in the product comes too late to count.
TEST(Unscale, LooksAtTheScaledValue) {
  std::vector<float> gradient(3, std::numeric_limits<float>::max());
  EXPECT_TRUE(check_and_unscale(gradient, 2.0F));
  EXPECT_TRUE(std::isinf(gradient[0]));
}

TEST(Unscale, LooksAtStoredBits) {
  for (const NumberFormat format : {NumberFormat::f16, NumberFormat::bf16}) {
    std::vector<float> values = {1.0F, finite_max(format), -finite_max(format), 0.0F, 1e-45F};
    std::vector<std::uint16_t> stored(values.size());
    narrow(format, values, stored);
    EXPECT_TRUE(is_all_finite(format, stored));
    for (const float bad : {INFINITY, -INFINITY, NAN}) {
      values[3] = bad;
      narrow(format, values, stored);
      EXPECT_FALSE(is_all_finite(format, stored)) << bad;
    }
  }
  EXPECT_TRUE(is_all_finite(NumberFormat::f16, {}));
}

TEST(Unscale, ClippingNeverEnlarges) {
  EXPECT_EQ(clip_coefficient(0.5, 1.0), 1.0F);
  EXPECT_EQ(clip_coefficient(0.0, 1.0), 1.0F);
  EXPECT_FLOAT_EQ(clip_coefficient(10.0, 1.0), 0.1F);
}

}  // namespace
}  // namespace weft
