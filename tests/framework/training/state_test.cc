#include "framework/training/state.h"

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

}  // namespace
}  // namespace weft
