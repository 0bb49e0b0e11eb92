// Schedules of an optimizer that fail, or give no number.
#include "framework/training/step_rates.h"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

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

}  // namespace
}  // namespace weft
