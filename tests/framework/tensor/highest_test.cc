#include "framework/tensor/highest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace weft::testing {

namespace {

std::size_t by_standard(const std::vector<float>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

// Few different numbers, so that the highest come several times.
TEST(HighestTest, IsTheFirstOfEqualOnesAtEveryLength) {
  std::mt19937 random(7);
  for (std::size_t count = 1; count <= 200; ++count) {
    for (const int numbers : {1, 3, 1000}) {
      std::vector<float> values(count);
      for (float& value : values) value = static_cast<float>(static_cast<int>(random() % numbers));
      EXPECT_EQ(first_highest(values), by_standard(values)) << count << " of " << numbers;
    }
  }
}

TEST(HighestTest, FindsOneAtEachPlace) {
  for (std::size_t place = 0; place < 100; ++place) {
    std::vector<float> values(100, -1.0F);
    values[place] = -0.5F;
    EXPECT_EQ(first_highest(values), place);
  }
}

TEST(HighestTest, NanIsNeverHigherAndStaysInFront) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t place = 0; place < 100; ++place) {
    std::vector<float> values(100, 1.0F);
    values[70] = 2.0F;
    values[place] = nan;
    EXPECT_EQ(first_highest(values), by_standard(values)) << place;
  }
  EXPECT_EQ(first_highest(std::vector<float>(40, nan)), 0U);
}

TEST(HighestTest, TakesInfinitiesAndNoValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(first_highest(std::vector<float>(50, -infinity)), 0U);
  std::vector<float> values(50, -infinity);
  values[33] = infinity;
  EXPECT_EQ(first_highest(values), 33U);
  EXPECT_EQ(first_highest({}), 0U);
}

}  // namespace

}  // namespace weft::testing
