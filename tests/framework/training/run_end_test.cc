#include "framework/training/run_end.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TrainingState state_at(std::int64_t updates) {
  TrainingState state;
  state.step = updates;
  state.epoch = 3;
  return state;
}

TEST(RunEnd, SaysStepReasonAndBestScore) {
  TrainingSettings settings;
  settings.patience = 200;
  TrainingState state = state_at(401);
  state.results = {{0.25, 0}, {0.5731, 200}, {0.5731, 400}};
  EXPECT_EQ(
      describe_end(RunEnd::patience, state, settings),
      "after step 400, epoch 3: no better score in 200 steps (patience); best score 0.5731 in "
      "step 200");
}

TEST(RunEnd, NamesTheSettingThatEndedIt) {
  TrainingSettings settings;
  settings.max_steps = 20;
  settings.max_epochs = 4;
  EXPECT_EQ(describe_end(RunEnd::max_steps, state_at(21), settings),
            "after step 20, epoch 3: max_steps = 20 is reached");
  EXPECT_EQ(describe_end(RunEnd::max_epochs, state_at(21), settings),
            "after step 20, epoch 3: max_epochs = 4 passes over the data are done");
  EXPECT_EQ(describe_end(RunEnd::interrupted, state_at(0), settings),
            "before the first step: interrupted");
}

TEST(RunEnd, HasANameForPrograms) {
  EXPECT_EQ(name_of(RunEnd::patience), "patience");
  EXPECT_EQ(name_of(RunEnd::max_steps), "max_steps");
  EXPECT_EQ(name_of(RunEnd::max_epochs), "max_epochs");
  EXPECT_EQ(name_of(RunEnd::interrupted), "interrupted");
}

}  // namespace
}  // namespace weft
