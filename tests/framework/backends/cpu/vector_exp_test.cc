// Exponentials and error functions by vectors beside the C library's in f64.
#include "framework/backends/cpu/vector_exp.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/vector_erf.h"

namespace weft {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(VectorExp, IsTheNearestNumberOrItsNeighbour) {
  int others = 0, count = 0;
  std::vector<float> row;
  for (float x = -110.0F; x < 95.0F; x += 0.0137F) row.push_back(x);
  std::vector<float> found = row;
  exponentials(found.data(), static_cast<std::ptrdiff_t>(found.size()));
  for (std::size_t i = 0; i < row.size(); ++i, ++count) {
    const auto nearest = static_cast<float>(std::exp(static_cast<double>(row[i])));
    others += found[i] != nearest ? 1 : 0;
    ASSERT_GE(found[i], std::nextafter(nearest, 0.0F)) << row[i];
    ASSERT_LE(found[i], std::nextafter(nearest, kInfinity)) << row[i];
  }
  EXPECT_LT(others, count / 1000);
}

TEST(VectorExp, KnowsTheEndsOfTheRange) {
  std::vector<float> row = {0.0F, -0.0F, 1000.0F, -1000.0F, kInfinity, -kInfinity, -103.0F};
  exponentials(row.data(), static_cast<std::ptrdiff_t>(row.size()));
  EXPECT_EQ(row[0], 1.0F);
  EXPECT_EQ(row[1], 1.0F);
  EXPECT_EQ(row[2], kInfinity);
  EXPECT_EQ(row[3], 0.0F);
  EXPECT_EQ(row[4], kInfinity);
  EXPECT_EQ(row[5], 0.0F);
  EXPECT_GT(row[6], 0.0F);  // subnormal
}

TEST(VectorExp, KeepsNanOfEitherSign) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> row = {nan, -nan, 0.0F};
  exponentials(row.data(), 3);
  EXPECT_TRUE(std::isnan(row[0]));
  EXPECT_TRUE(std::isnan(row[1]));
  EXPECT_EQ(row[2], 1.0F);
}

// The rest of a row goes through another loop, and takes no numbers beyond its end.
TEST(VectorExp, RowsOfAnyLength) {
  for (std::ptrdiff_t count = 0; count < 9; ++count) {
    std::vector<float> row(10, 1.0F);
    exponentials(row.data(), count);
    for (std::ptrdiff_t i = 0; i < 10; ++i) {
      EXPECT_FLOAT_EQ(row[static_cast<std::size_t>(i)], i < count ? 2.7182818F : 1.0F);
    }
  }
}

TEST(VectorErf, IsOffByLessThanF32Shows) {
  std::vector<float> row;
  for (float x = -6.0F; x < 6.0F; x += 0.00137F) row.push_back(x);
  std::vector<float> found = row;
  error_functions(found.data(), static_cast<std::ptrdiff_t>(found.size()));
  for (std::size_t i = 0; i < row.size(); ++i) {
    ASSERT_NEAR(found[i], std::erf(static_cast<double>(row[i])), 6e-8) << row[i];
  }
}

TEST(VectorErf, KnowsTheEndsOfTheRange) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> row = {0.0F, kInfinity, -kInfinity, nan, 1e30F, 1e-30F};
  error_functions(row.data(), static_cast<std::ptrdiff_t>(row.size()));
  EXPECT_EQ(row[0], 0.0F);
  EXPECT_EQ(row[1], 1.0F);
  EXPECT_EQ(row[2], -1.0F);
  EXPECT_TRUE(std::isnan(row[3]));
  EXPECT_EQ(row[4], 1.0F);
  EXPECT_FLOAT_EQ(row[5], 1.1283792e-30F);
}

}  // namespace
}  // namespace weft
