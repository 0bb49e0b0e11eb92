#include "framework/training/gradient_norm.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "framework/precision/element_type.h"

namespace weft {
namespace {

// A dense parameter and a table of which one row is used, as an optimizer sees them.
class GradientNormTest : public ::testing::Test {
 protected:
  void fill(DType type, std::vector<float> dense, std::vector<float> row) {
    gradients_.keep_as(type);
    const ConstView from(dense.data(), DType::f32, {1, 2});
    cast_rows(from, gradients_.of(dense_).view());
    std::vector<std::int32_t> rows{3};
    cast_rows(ConstView(row.data(), DType::f32, {1, 2}), gradients_.rows_of(table_).touch(rows));
  }

  Parameter dense_{"W", Tensor::zeros({1, 2})}, table_{"E", Tensor::zeros({5, 2})};
  Parameter unused_{"b", Tensor::zeros({2})};
  std::vector<NamedParameter> all_ = {{"W", &dense_}, {"E", &table_}, {"b", &unused_}};
  Gradients gradients_;
};

TEST_F(GradientNormTest, IsThatOfAllNumbersTogether) {
  fill(DType::f32, {1.0F, 2.0F}, {2.0F, 4.0F});
  EXPECT_DOUBLE_EQ(global_norm(all_, gradients_), 5.0);
  EXPECT_EQ(global_norm({}, gradients_), 0.0);
}

TEST_F(GradientNormTest, OfNumbersInSixteenBitsCountsThemUnscaled) {
  fill(DType::f16, {1.0F, 2.0F}, {2.0F, 4.0F});
  gradients_.scale(0.5F);
  EXPECT_DOUBLE_EQ(global_norm(all_, gradients_), 2.5);
}

// f32 would overflow: the squares are 1e60.
TEST_F(GradientNormTest, IsTakenInF64) {
  fill(DType::f32, {3e30F, 0.0F}, {4e30F, 0.0F});
  EXPECT_NEAR(global_norm(all_, gradients_) / 5e30, 1.0, 1e-6);
}

TEST_F(GradientNormTest, ClippingBringsTheNormDownAndNeverUp) {
  for (const DType type : {DType::f32, DType::bf16}) {
    gradients_.clear();
    fill(type, {1.0F, 2.0F}, {2.0F, 4.0F});
    clip_globally(all_, gradients_, 8.0);
    EXPECT_DOUBLE_EQ(global_norm(all_, gradients_), 5.0);
    clip_globally(all_, gradients_, 0.0);  // off
    EXPECT_DOUBLE_EQ(global_norm(all_, gradients_), 5.0);
    clip_globally(all_, gradients_, 1.0);
    EXPECT_NEAR(global_norm(all_, gradients_), 1.0, 1e-6);
    EXPECT_NEAR(gradients_.find(dense_)->data<float>()[1], 0.4F, 1e-6F);
    EXPECT_NEAR(gradients_.find(table_)->data<float>()[7], 0.8F, 1e-6F);
  }
}

TEST_F(GradientNormTest, LeavesWhatIsNotFiniteAsItIs) {
  fill(DType::f32, {1.0F, std::numeric_limits<float>::infinity()}, {2.0F, 4.0F});
  clip_globally(all_, gradients_, 1.0);
  EXPECT_EQ(gradients_.find(dense_)->data<float>()[0], 1.0F);
  EXPECT_TRUE(std::isinf(gradients_.find(dense_)->data<float>()[1]));
}

}  // namespace
}  // namespace weft
