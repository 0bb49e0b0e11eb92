// The order of a step: losses, gradients, hooks, clipping, the optimizer, its schedules.
#include "framework/training/step.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/worker_pool.h"
#include "tests/framework/pipeline/one_weight_component.h"
#include "tests/framework/training/ruled_descent.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 0.5 in the first step, 0.25 in the next, and so on.
Schedule halved_each_step() {
  return Schedule([](std::int64_t step) { return std::pow(0.5, static_cast<double>(step + 1)); });
}

// One weight whose gradient is the number of tokens.
class TrainingStepTest : public ::testing::Test {
 protected:
  TrainingStepTest() { nlp_.add({"one", component_}); }

  void start(const PrecisionSettings& settings) {
    precision_ = std::make_unique<PrecisionSession>(
        make_precision_policy(settings), nlp_, runner_, optimizer_,
        [this](const Notice& notice) { notices_.push_back(notice.str()); });
    step_.emplace(runner_, optimizer_, *precision_);
  }
  Losses take(const std::vector<int>& lengths, std::size_t parts = 1) {
    std::vector<Example> examples = testing::documents_of(nlp_, lengths);
    const std::vector<Example*> all = testing::pointers_to(examples);
    return step_->run({.number = number_++, .examples = all, .parts = parts});
  }
  void accumulate(const std::vector<int>& lengths) {
    std::vector<Example> examples = testing::documents_of(nlp_, lengths);
    const std::vector<Example*> all = testing::pointers_to(examples);
    step_->accumulate({.number = number_, .examples = all});
  }
  float weight() const { return component_->weight().value.data<float>()[0]; }

  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<testing::OneWeight> component_ = std::make_shared<testing::OneWeight>();
  WorkerPool pool_{1};
  ShardRunner runner_{nlp_, pool_, {}};
  RuledDescent optimizer_{halved_each_step()};
  std::unique_ptr<PrecisionSession> precision_;
  std::optional<TrainingStep> step_;
  std::uint64_t number_ = 0;
  std::vector<std::string> notices_;
};

TEST_F(TrainingStepTest, GradientsOfAllPartsMakeOneStepAndTheSchedulesAdvance) {
  start({});
  accumulate({2});
  EXPECT_EQ(weight(), 0.0F);
  EXPECT_EQ(take({4, 8}, 2).at("one"), 12.0);
  EXPECT_EQ(weight(), -7.0F);  // 0.5 * (2 + 4 + 8)
  take({4});
  EXPECT_EQ(weight(), -8.0F);  // 0.25 * 4: nothing of the step before
}

TEST_F(TrainingStepTest, HooksSeeUnscaledGradientsBeforeTheyAreClippedTogether) {
  PrecisionSettings settings;
  settings.loss_scale = 1024.0;
  settings.grad_norm = 2.0;
  start(settings);
  std::vector<float> seen;
  step_->add_gradient_hook([&](std::span<const NamedParameter> all, Gradients& gradients) {
    const std::span<float> numbers = gradients.numbers(*all.front().parameter);
    seen.push_back(numbers[0]);
    numbers[0] += 1.0F;
  });
  step_->add_gradient_hook([&](std::span<const NamedParameter> all, Gradients& gradients) {
    seen.push_back(gradients.numbers(*all.front().parameter)[0]);
  });
  take({8});
  EXPECT_THAT(seen, ElementsAre(8.0F, 9.0F));
  EXPECT_NEAR(weight(), -1.0F, 1e-5F);  // 0.5 * 2, the largest norm
}

TEST_F(TrainingStepTest, AStepThatEndsTheRunChangesNothingAndNamesDocuments) {
  start({});
  component_->loss_of = [](ShardUpdate&) { return std::numeric_limits<double>::quiet_NaN(); };
  try {
    take({3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.message(), HasSubstr("step 0: the loss of 'one' is nan, the batch holds"));
  }
  EXPECT_EQ(weight(), 0.0F);
  EXPECT_EQ(optimizer_.schedule_step(), 0);
  component_->loss_of = nullptr;
  take({4});
  EXPECT_EQ(weight(), -2.0F);  // the gradient of the first step is forgotten
}

TEST_F(TrainingStepTest, AStepWithoutAFiniteGradientIsLeftOutWhereThePolicySaysSo) {
  PrecisionSettings settings;
  settings.check_gradients = true;
  start(settings);
  bool spoil = true;
  step_->add_gradient_hook([&](std::span<const NamedParameter> all, Gradients& gradients) {
    if (spoil) gradients.numbers(*all.front().parameter)[0] = HUGE_VALF;
  });
  EXPECT_EQ(take({3}).at("one"), 3.0);
  EXPECT_EQ(weight(), 0.0F);
  EXPECT_EQ(optimizer_.schedule_step(), 0);
  spoil = false;
  take({4});
  EXPECT_EQ(weight(), -2.0F);
}

TEST_F(TrainingStepTest, ALossIsToldAsItIsWhateverItsComponentIsCalled) {
  const auto other = std::make_shared<testing::OneWeight>();
  other->loss_of = [](ShardUpdate&) { return std::numeric_limits<double>::quiet_NaN(); };
  nlp_.add({"inference", other});
  PrecisionSettings settings;
  settings.check_gradients = true;
  start(settings);
  EXPECT_THAT(take({3}), ::testing::IsEmpty());
  EXPECT_THAT(notices_, ::testing::Contains(HasSubstr("loss is nan at step 0")));
  EXPECT_EQ(weight(), 0.0F);
}

TEST_F(TrainingStepTest, AStepOfWhichNothingWasAppliedKeepsNoGradients) {
  start({});
  step_->add_gradient_hook([](std::span<const NamedParameter> all, Gradients& gradients) {
    gradients.numbers(*all.front().parameter)[0] = HUGE_VALF;
  });
  try {
    take({3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.message(), HasSubstr("component 'one'"));
  }
  EXPECT_TRUE(runner_.gradients().empty());
  EXPECT_EQ(weight(), 0.0F);
}

}  // namespace
}  // namespace weft
