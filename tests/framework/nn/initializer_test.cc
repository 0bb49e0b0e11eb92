#include "framework/nn/initializer.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "framework/tensor/tensor.h"
#include "registry/base/error.h"

namespace weft {
namespace {

Tensor filled(const Initializer& initializer, Shape shape, std::uint64_t seed = 1) {
  Tensor array = Tensor::zeros(shape);
  array.data<float>()[0] = 99.0F;  // to be overwritten
  initializer.fill(RandomStream(seed, 0, 1), array.view());
  return array;
}

struct Moments {
  double mean = 0, deviation = 0, least = 0, most = 0;
};

Moments moments_of(const Tensor& array) {
  const float* begin = array.data<float>();
  const float* end = begin + array.size();
  Moments moments;
  for (const float* x = begin; x != end; ++x) moments.mean += *x;
  moments.mean /= static_cast<double>(array.size());
  for (const float* x = begin; x != end; ++x) {
    moments.deviation += (*x - moments.mean) * (*x - moments.mean);
  }
  moments.deviation = std::sqrt(moments.deviation / static_cast<double>(array.size()));
  moments.least = *std::min_element(begin, end);
  moments.most = *std::max_element(begin, end);
  return moments;
}

constexpr double kTolerance = 0.02;  // 20000 numbers: four deviations of the mean of a normal one

TEST(Initializer, ZerosAreZero) {
  const Moments zeros = moments_of(filled(zero_init(), {3, 4}));
  EXPECT_EQ(zeros.least, 0.0);
  EXPECT_EQ(zeros.most, 0.0);
}

TEST(Initializer, UniformNumbersFillTheirRange) {
  const Moments moments = moments_of(filled(uniform_init(-1.0, 3.0), {100, 200}));
  EXPECT_GE(moments.least, -1.0);
  EXPECT_LT(moments.least, -0.99);
  EXPECT_LE(moments.most, 3.0);
  EXPECT_GT(moments.most, 2.99);
  EXPECT_NEAR(moments.mean, 1.0, 2 * kTolerance);
  EXPECT_NEAR(moments.deviation, 4.0 / std::sqrt(12.0), kTolerance);
}

TEST(Initializer, NormalNumbersHaveTheirMeanAndDeviation) {
  const Moments moments = moments_of(filled(normal_init(2.0, 0.5), {100, 200}));
  EXPECT_NEAR(moments.mean, 2.0, kTolerance);
  EXPECT_NEAR(moments.deviation, 0.5, kTolerance);
}

// a^2 = scale / fan.
TEST(Initializer, ScaledOnesDependOnTheFan) {
  const Moments both = moments_of(filled(scaled_uniform_init(6.0, Fan::first_two), {50, 400}));
  EXPECT_NEAR(both.most, std::sqrt(6.0 / 450.0), 1e-3);
  EXPECT_NEAR(both.least, -std::sqrt(6.0 / 450.0), 1e-3);
  const Moments glorot = moments_of(filled(glorot_uniform_init(), {50, 400}));
  EXPECT_EQ(glorot.most, both.most);
  const Moments second = moments_of(filled(scaled_normal_init(2.0, Fan::second), {50, 400}));
  EXPECT_NEAR(second.deviation / std::sqrt(2.0 / 400.0), 1.0, kTolerance);
  const Moments three = moments_of(filled(scaled_uniform_init(6.0, Fan::first_two), {5, 20, 200}));
  EXPECT_NEAR(three.most, std::sqrt(6.0 / 25.0), 1e-3);
}

TEST(Initializer, FansNeedTwoDimensions) {
  for (const Initializer& initializer :
       {glorot_uniform_init(), scaled_normal_init(1.0, Fan::second)}) {
    EXPECT_THROW(filled(initializer, {7}), Error);
  }
}

TEST(Initializer, TheStreamDecides) {
  const Tensor one = filled(normal_init(0, 1), {8}), same = filled(normal_init(0, 1), {8});
  const Tensor other = filled(normal_init(0, 1), {8}, 2);
  EXPECT_TRUE(std::equal(one.data<float>(), one.data<float>() + 8, same.data<float>()));
  EXPECT_FALSE(std::equal(one.data<float>(), one.data<float>() + 8, other.data<float>()));
}

}  // namespace
}  // namespace weft
