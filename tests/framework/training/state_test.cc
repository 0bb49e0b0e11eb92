#include "framework/training/state.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

TEST(TrainingStateTest, TheEarliestBestStepCountsAndTiesAreBestAgain) {
  TrainingState state;
  EXPECT_EQ(best_step(state), 0);
  EXPECT_FALSE(last_is_best(state));
  state.results = {{0.1, 0}, {0.3, 200}, {0.2, 400}};
  EXPECT_EQ(best_step(state), 200);
  EXPECT_FALSE(last_is_best(state));
  state.results.emplace_back(0.3, 600);
  EXPECT_EQ(best_step(state), 200);
  EXPECT_TRUE(last_is_best(state));
}

TEST(TrainingStateTest, ComesBackFromItsNode) {
  TrainingState state;
  state.step = 17;
  state.epoch = 2;
  state.batches_taken = 5;
  state.sizes_taken = 40;
  state.sizes_at_epoch_start = 35;
  state.words = 12345;
  state.losses["ner"] = 2.5;
  state.results = {{0.25, 0}, {0.5, 10}};
  state.seconds = 1.25;
  const Node node = to_node(state);
  EXPECT_TRUE(to_node(training_state_from(node)).same_value(node));
}

TEST(TrainingStateTest, DamageIsNamed) {
  Node node = to_node(TrainingState());
  node.as_object().set("epoch", "two");
  EXPECT_THROW(training_state_from(node), Error);
  node.as_object().erase("epoch");
  EXPECT_THROW(training_state_from(node), Error);
  EXPECT_THROW(training_state_from(Node(3)), Error);
}

// Any of them would be believed, and the run would go on from nowhere.
TEST(TrainingStateTest, NumbersThatNoRunHasAreRefused) {
  for (const char* counter : {"step", "epoch", "batches_taken", "sizes_taken",
                              "sizes_at_epoch_start", "words", "words_at_evaluation"}) {
    for (const std::int64_t number : {std::int64_t{-5}, std::int64_t{1} << 62}) {
      Node node = to_node(TrainingState());
      node.as_object().set(counter, number);
      EXPECT_THROW(training_state_from(node), Error) << counter << ' ' << number;
    }
  }
  for (const double seconds :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    TrainingState state;
    state.seconds = seconds;
    EXPECT_THROW(training_state_from(to_node(state)), Error) << seconds;
  }
}

TEST(TrainingStateTest, NumbersThatDoNotGoTogetherAreRefused) {
  TrainingState earlier;
  earlier.sizes_at_epoch_start = 1;
  EXPECT_THROW(training_state_from(to_node(earlier)), Error);
  TrainingState evaluated;
  evaluated.words_at_evaluation = 1;
  EXPECT_THROW(training_state_from(to_node(evaluated)), Error);
  TrainingState timed;
  timed.seconds_at_evaluation = 1;
  EXPECT_THROW(training_state_from(to_node(timed)), Error);
  TrainingState passed;
  passed.step = 7;
  passed.epoch = std::int64_t{1} << 53;
  EXPECT_THROW(training_state_from(to_node(passed)), Error);
  TrainingState twice;
  twice.step = 7;
  twice.results = {{0.5, 2}, {0.5, 2}};
  EXPECT_THROW(training_state_from(to_node(twice)), Error);
  for (const std::int64_t step : {-1, 8}) {
    TrainingState scored;
    scored.step = 7;
    scored.results = {{0.5, step}};
    EXPECT_THROW(training_state_from(to_node(scored)), Error) << step;
  }
}

// A step in 16 bits that overflowed and was left out may have an infinite one.
TEST(TrainingStateTest, LossesAreFewWhateverTheyAre) {
  TrainingState many;
  for (int i = 0; i < 1025; ++i) many.losses["ner" + std::to_string(i)] = 1.0;
  EXPECT_THROW(training_state_from(to_node(many)), Error);
  many.losses.erase("ner0");
  EXPECT_EQ(training_state_from(to_node(many)).losses.size(), 1024u);
  many.losses["ner1"] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(training_state_from(to_node(many)).losses["ner1"], many.losses["ner1"]);
}

}  // namespace
}  // namespace weft
