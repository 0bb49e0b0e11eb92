// Schedules of an optimizer that fail, or give no number.
#include "framework/training/step_rates.h"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

// The message about a learn rate in step 3.
std::string told_of(Schedule rate) {
  OptimizerSettings settings;
  settings.learn_rate = std::move(rate);
  Optimizer optimizer(settings);
  optimizer.set_schedule_step(3);
  try {
    check_rates(optimizer);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    return error.what();
  }
}

TEST(StepRates, NumbersAreTaken) {
  EXPECT_EQ(told_of(Schedule(0.001)), "");
  EXPECT_EQ(told_of(Schedule([](std::int64_t step) { return 1.0 / static_cast<double>(step); })),
            "");
}

TEST(StepRates, WhatIsNoNumberNamesSettingAndStep) {
  EXPECT_EQ(told_of(Schedule([](std::int64_t) { return std::nan(""); })),
            "[training.optimizer] learn_rate: its schedule gives nan in step 3");
  EXPECT_THAT(told_of(Schedule([](std::int64_t) { return HUGE_VAL; })), HasSubstr("gives inf"));
}

TEST(StepRates, AFailureNamesSettingAndStep) {
  EXPECT_EQ(told_of(Schedule([](std::int64_t) -> double { throw std::runtime_error("boom"); })),
            "[training.optimizer] learn_rate: its schedule failed (\"boom\") in step 3");
  EXPECT_THAT(told_of(Schedule([](std::int64_t) -> double { throw 5; })),
              HasSubstr("failed (it threw something that is no std::exception)"));
}

TEST(StepRates, TheOtherSchedulesAreLookedAtToo) {
  const Schedule none([](std::int64_t) { return std::nan(""); });
  for (const auto& [setting, name] : {std::pair{&OptimizerSettings::l2, "L2"},
                                      std::pair{&OptimizerSettings::grad_clip, "grad_clip"}}) {
    OptimizerSettings settings;
    settings.*setting = none;
    try {
      check_rates(Optimizer(settings));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(name));
    }
  }
}

// A rule with a schedule of its own.
class OwnRule final : public Optimizer {
 public:
  explicit OwnRule(Schedule warmth) : Optimizer(OptimizerSettings{}), warmth_(std::move(warmth)) {}
  std::vector<RuleSchedule> rule_schedules() const override { return {{"warmth", &warmth_, 2.0}}; }

 private:
  Schedule warmth_;
};

TEST(StepRates, ThoseOfARuleTooAndWhatItCanUse) {
  const auto told = [](Schedule warmth) {
    try {
      check_rates(OwnRule(std::move(warmth)));
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(told(Schedule(1.99)), "");
  EXPECT_THAT(told(Schedule(2.0)),
              HasSubstr("warmth: its schedule gives 2 in step 0; only numbers below 2"));
  EXPECT_THAT(told(Schedule([](std::int64_t) { return std::nan(""); })), HasSubstr("gives nan"));
  EXPECT_THAT(told(Schedule([](std::int64_t) -> double { throw 5; })), HasSubstr("warmth"));
}

}  // namespace
}  // namespace weft
