#include "framework/tagging/class_loss.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "framework/tensor/tensor.h"

namespace weft {
namespace {

constexpr std::int64_t kClasses = 3;

Tensor softmax_of(const std::vector<float>& scores) {
  Tensor p = Tensor::zeros({static_cast<std::int64_t>(scores.size()) / kClasses, kClasses});
  for (std::int64_t i = 0; i < p.dim(0); ++i) {
    double sum = 0;
    for (int k = 0; k < kClasses; ++k) sum += std::exp(double{scores[i * kClasses + k]});
    for (int k = 0; k < kClasses; ++k) {
      p.data<float>()[i * kClasses + k] =
          static_cast<float>(std::exp(double{scores[i * kClasses + k]}) / sum);
    }
  }
  return p;
}

// Of the truth, smoothed, and of what the gradient of a negative class stands for.
double objective(const std::vector<float>& scores, double smoothing) {
  const Tensor p = softmax_of(scores);
  double sum = 0;
  for (int k = 0; k < kClasses; ++k) {
    const double truth = k == 1 ? 1 - smoothing : smoothing / (kClasses - 1);
    sum -= truth * std::log(double{p.data<float>()[k]});
  }
  return sum;
}

TEST(ClassLoss, ItsGradientIsThatOfTheCrossEntropy) {
  for (const double smoothing : {0.0, 0.2}) {
    std::vector<float> scores = {0.3F, -0.7F, 1.1F};
    const Tensor p = softmax_of(scores);
    Tensor d = Tensor::zeros(p.shape());
    const GoldClass gold[] = {GoldClass::is(1)};
    class_loss(p, gold, smoothing, d.view());
    for (int k = 0; k < kClasses; ++k) {
      const float kept = scores[k];
      scores[k] = kept + 1e-2F;
      const double above = objective(scores, smoothing);
      scores[k] = kept - 1e-2F;
      const double below = objective(scores, smoothing);
      scores[k] = kept;
      EXPECT_NEAR(d.data<float>()[k], (above - below) / 2e-2, 1e-4) << k << " " << smoothing;
    }
  }
}

TEST(ClassLoss, IsTheSumOfTheSquares) {
  const Tensor p = softmax_of({0, 0, 0, 1, 2, 3, 0, 0, 0});
  Tensor d = Tensor::zeros(p.shape());
  const GoldClass gold[] = {GoldClass::is(2), GoldClass::missing(), GoldClass::is_not(0)};
  const double loss = class_loss(p, gold, 0.0, d.view());
  EXPECT_NEAR(loss, 2.0 / 9 + 4.0 / 9 + 1.0 / 9, 1e-6);
  double squares = 0;
  for (std::int64_t i = 0; i < d.size(); ++i) squares += d.data<float>()[i] * d.data<float>()[i];
  EXPECT_NEAR(loss, squares, 1e-6);
  EXPECT_EQ(d.data<float>()[3], 0.0F) << "nothing is known of the second token";
  EXPECT_NEAR(d.data<float>()[6], 1.0 / 3, 1e-6);
  EXPECT_EQ(d.data<float>()[7], 0.0F);
}

TEST(ClassLoss, GoldClassesTellTheirKinds) {
  EXPECT_TRUE(GoldClass::missing().is_missing());
  EXPECT_FALSE(GoldClass::missing().is_negative());
  EXPECT_EQ(GoldClass::is(5).number(), 5);
  EXPECT_EQ(GoldClass::is_not(5).number(), 5);
  EXPECT_TRUE(GoldClass::is_not(0).is_negative());
}

}  // namespace
}  // namespace weft
