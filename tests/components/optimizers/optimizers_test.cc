// The optimizers against plain loops in double, and what happens to bad gradients.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/training/optimizer.h"
#include "framework/training/step_rates.h"
#include "registry/base/error.h"
#include "tests/components/building.h"

namespace weft {
namespace {

using testing::build;

// One array of two weights and its gradients.
struct Problem2 {
  Parameter parameter{"W", Tensor::from<float>({2}, {1.0F, -2.0F}), 0};
  Gradients gradients;
  Context ctx;
  std::vector<NamedParameter> named{{"layer/W", &parameter}};

  void step(Optimizer& optimizer, float a, float b) {
    gradients.clear();
    Tensor& gradient = gradients.of(parameter);
    gradient.data<float>()[0] = a;
    gradient.data<float>()[1] = b;
    optimizer.step(ctx, named, gradients);
    optimizer.advance();
  }
  float weight(int i) const { return parameter.value.data<float>()[i]; }
};

TEST(Adam, FollowsTheFormula) {
  const auto optimizer = build<OptimizerPtr>(
      "@optimizers = \"Adam.v1\"\nlearn_rate = 0.1\nL2 = 0.01\ngrad_clip = 1.0\n");
  Problem2 problem;
  double w = 1.0, m = 0.0, v = 0.0, average = 0.0;
  const double gradients[] = {3.0, -0.3, 0.0};
  const double others[] = {4.0, 0.4, 0.0};
  for (int t = 1; t <= 3; ++t) {
    problem.step(*optimizer, static_cast<float>(gradients[t - 1]),
                 static_cast<float>(others[t - 1]));
    const double norm = std::hypot(gradients[t - 1], others[t - 1]);
    const double g = norm >= 1.0 ? gradients[t - 1] / norm : gradients[t - 1];
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    w -= 0.1 * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)) * m /
         (std::sqrt(v) + 1e-8);
    w -= 0.1 * 0.01 * w;
    average -= (1 - (1.0 + t) / (10.0 + t)) * (average - w);
    EXPECT_NEAR(problem.weight(0), w, 2e-6) << "step " << t;
  }
  EXPECT_EQ(problem.parameter.version, 3U);
  optimizer->swap_averages(problem.named);
  EXPECT_NEAR(problem.weight(0), average, 2e-6);
  optimizer->swap_averages(problem.named);
  EXPECT_NEAR(problem.weight(0), w, 2e-6);
}

// As in Thinc, where the second moment is missing.
TEST(Adam, WithoutASecondMomentItIsPlainDescent) {
  const std::string settings = "learn_rate = 0.1\nL2 = 0.01\ngrad_clip = 1.0\n";
  const auto adam = build<OptimizerPtr>("@optimizers = \"Adam.v1\"\nbeta2 = 0.0\n" + settings);
  const auto sgd = build<OptimizerPtr>("@optimizers = \"SGD.v1\"\n" + settings);
  Problem2 by_adam, by_sgd;
  for (int t = 1; t <= 3; ++t) {
    by_adam.step(*adam, 0.5F, -3.0F);
    by_sgd.step(*sgd, 0.5F, -3.0F);
    for (int i : {0, 1}) EXPECT_EQ(by_adam.weight(i), by_sgd.weight(i)) << "step " << t;
  }
}

TEST(Adam, PenaltyGoesIntoTheGradientBeforeClipping) {
  const auto optimizer = build<OptimizerPtr>(
      "@optimizers = \"SGD.v1\"\nlearn_rate = 1\nL2 = 0.5\nL2_is_weight_decay = false\n"
      "grad_clip = 1.0\nuse_averages = false\n");
  Problem2 problem;
  problem.step(*optimizer, 2.5F, 5.0F);  // with the penalty: (3, 4), norm 5
  EXPECT_NEAR(problem.weight(0), 1.0 - 0.6, 1e-6);
  EXPECT_NEAR(problem.weight(1), -2.0 - 0.8, 1e-6);
}

// Of schedules, whose numbers no config can be checked for.
TEST(Adam, SettingsThatItCannotUseAreRefusedBeforeTheStep) {
  const auto fault_of = [](const std::string& setting) {
    const auto optimizer = build<OptimizerPtr>(
        "@optimizers = \"Adam.v1\"\n" + setting +
        " = {\"@schedules\": \"constant_then.v1\", \"rate\": 0.5, \"steps\": 1, \"schedule\":"
        " {\"@schedules\": \"constant.v1\", \"rate\": 1.0}}\n");
    check_rates(*optimizer);
    optimizer->advance();
    try {
      check_rates(*optimizer);
      return std::string();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      return std::string(error.what());
    }
  };
  EXPECT_EQ(fault_of("beta1"),
            "[training.optimizer] beta1: its schedule gives 1 in step 1; only numbers below 1 can "
            "be used");
  EXPECT_THAT(fault_of("beta2"), ::testing::HasSubstr("beta2"));
  EXPECT_EQ(fault_of("eps"), "");
}

TEST(RAdam, MovesByMomentumWhileTheVarianceIsNotTrusted) {
  const auto optimizer = build<OptimizerPtr>(
      "@optimizers = \"RAdam.v1\"\nlearn_rate = 0.1\ngrad_clip = 0\nuse_averages = false\n");
  Problem2 problem;
  problem.step(*optimizer, 0.5F, 0.0F);
  // t = 2: 0.1 * (0.1 * 0.5) / (1 - 0.9²)
  EXPECT_NEAR(problem.weight(0), 1.0 - 0.1 * 0.05 / (1 - 0.81), 1e-6);
  for (int t = 2; t <= 10; ++t) problem.step(*optimizer, 0.5F, 0.0F);
  EXPECT_LT(problem.weight(0), 0.9F);
  EXPECT_EQ(problem.weight(1), -2.0F);
}

TEST(RAdam, FollowsTheFormulaOnceTheVarianceIsTrusted) {
  const auto optimizer = build<OptimizerPtr>(
      "@optimizers = \"RAdam.v1\"\nlearn_rate = 0.1\nbeta2 = 0.9\neps = 0.25\ngrad_clip = 0\n"
      "use_averages = false\n");
  Problem2 problem;
  const double rate = 0.1, beta1 = 0.9, beta2 = 0.9, longest = 2 / (1 - beta2) - 1;
  double w = 1.0, m = 0.0, v = 0.0;
  int trusted = 0;
  for (int t = 2; t <= 20; ++t) {  // counts one ahead of the updates
    const double g = 0.5 + 0.25 * (t % 3);
    problem.step(*optimizer, static_cast<float>(g), 0.0F);
    m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g * g;
    const double power = std::pow(beta2, t);
    const double length = longest - 2 * t * power / (1 - power);
    const double mean = m / (1 - std::pow(beta1, t));
    if (length < 5) {
      w -= rate * mean;
    } else {
      const double rectified = std::sqrt((length - 4) * (length - 2) * longest /
                                         ((longest - 4) * (longest - 2) * length));
      w -= rate * rectified * mean * std::sqrt(1 - power) / (std::sqrt(v) + 0.25);
      ++trusted;
    }
    EXPECT_NEAR(problem.weight(0), w, 2e-6) << "step " << t;
  }
  EXPECT_GT(trusted, 10);
  EXPECT_EQ(optimizer->eps(), 0.25);
}

TEST(Optimizer, ArraysWithoutAGradientStayOutUntilTheirFirst) {
  const auto optimizer = build<OptimizerPtr>("@optimizers = \"Adam.v1\"\nL2 = 0.5\n");
  Problem2 problem;
  optimizer->step(problem.ctx, problem.named, problem.gradients);
  EXPECT_EQ(problem.weight(0), 1.0F);
  problem.step(*optimizer, 0.1F, 0.1F);
  const float after_first = problem.weight(0);
  problem.gradients.clear();
  optimizer->step(problem.ctx, problem.named, problem.gradients);
  EXPECT_NE(problem.weight(0), after_first) << "moments and weight decay go on";
}

TEST(Optimizer, RefusesNanBeforeAnythingMoves) {
  const auto optimizer = build<OptimizerPtr>("@optimizers = \"Adam.v1\"\n");
  Problem2 problem;
  Parameter first{"b", Tensor::from<float>({1}, {5.0F}), 0};
  problem.named.insert(problem.named.begin(), {"layer/b", &first});
  problem.gradients.of(first).data<float>()[0] = 1.0F;
  problem.gradients.of(problem.parameter).data<float>()[1] =
      std::numeric_limits<float>::quiet_NaN();
  try {
    optimizer->step(problem.ctx, problem.named, problem.gradients);
    FAIL() << "a NaN went through";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_NE(std::string(error.what()).find("layer/W"), std::string::npos);
  }
  EXPECT_EQ(first.value.data<float>()[0], 5.0F);
  EXPECT_EQ(first.version, 0U);
  EXPECT_TRUE(optimizer->states().empty());
}

}  // namespace
}  // namespace weft
