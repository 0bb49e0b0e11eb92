#include "framework/nn/add_gradient.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "framework/nn/gradients.h"
#include "framework/ops/context.h"

namespace weft {
namespace {

class WeightGradient : public testing::Test {
 protected:
  // The next step: numbers left of the last one must not be read.
  void spoil() {
    gradients_.of(weights_);
    for (std::int64_t i = 0; i < weights_.value.size(); ++i) {
      gradients_.of(weights_).data<float>()[i] = std::numeric_limits<float>::quiet_NaN();
    }
    gradients_.clear();
  }
  float at(std::int64_t i) { return gradients_.find(weights_)->data<float>()[i]; }
  void add(const Tensor& dy, const Tensor& x) {
    ctx_.pass().train(0.0, gradients_, masks_);
    add_weight_gradient(ctx_, weights_, dy, x);
  }

  Parameter weights_{"W", Tensor::zeros({2, 2, 3}), 0};  // two outputs of two pieces
  Gradients gradients_;
  CounterMasks masks_{0, 0};
  Context ctx_;
};

TEST_F(WeightGradient, IsWrittenFirstAndAddedToThen) {
  spoil();
  const Tensor dy = Tensor::from<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor x = Tensor::from<float>({2, 3}, {1, 0, 2, 0, 1, -1});
  add(dy, x);
  const float expected[] = {1, 5, -3, 2, 6, -2, 3, 7, -1, 4, 8, 0};  // by hand
  for (std::int64_t i = 0; i < 12; ++i) EXPECT_EQ(at(i), expected[i]) << i;
  add(dy, x);
  for (std::int64_t i = 0; i < 12; ++i) EXPECT_EQ(at(i), 2 * expected[i]) << i;
}

TEST_F(WeightGradient, OfABiasAndOfAWholeArrayToo) {
  spoil();
  const Tensor dy = Tensor::from<float>({2, 12}, {1, 2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                                  0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 1,  2});
  ctx_.pass().train(0.0, gradients_, masks_);
  add_bias_gradient(ctx_, weights_, dy);
  EXPECT_EQ(at(0), 1.0F);
  EXPECT_EQ(at(11), 14.0F);
  add_bias_gradient(ctx_, weights_, dy);
  EXPECT_EQ(at(11), 28.0F);
  gradients_.clear();
  const Tensor array = dy.rows(0, 1).reshaped({2, 2, 3});
  add_gradient(ctx_, weights_, array.cview());
  EXPECT_EQ(at(11), 12.0F);
  add_gradient(ctx_, weights_, array.cview());
  EXPECT_EQ(at(0), 2.0F);
  EXPECT_EQ(at(11), 24.0F);
}

TEST_F(WeightGradient, OfNoRowsIsZeros) {
  for (const std::int64_t width : {3, 96}) {  // products of either size are computed in other ways
    weights_.value = Tensor::zeros({2, 48, width});
    spoil();
    add(Tensor::zeros({0, 96}), Tensor::zeros({0, width}));
    for (std::int64_t i = 0; i < 96 * width; ++i) ASSERT_EQ(at(i), 0.0F) << width << ": " << i;
  }
}

}  // namespace
}  // namespace weft
