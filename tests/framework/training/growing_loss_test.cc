#include "framework/training/growing_loss.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

class LossHistoryTest : public ::testing::Test {
 protected:
  // An evaluation after a hundred words.
  std::optional<GrowingLoss> at(double loss, double score) {
    const Losses losses = {{"ner", loss}, {"tok2vec", 1.0}};
    return history_.look_at({.step = step_++, .score = score, .losses = losses, .words = 100});
  }

  LossHistory history_;
  std::int64_t step_ = 0;
};

TEST_F(LossHistoryTest, ALossThatGrowsWhileTheScoreFallsIsToldOnce) {
  EXPECT_FALSE(at(200.0, 0.0));
  EXPECT_FALSE(at(10.0, 0.5));
  const auto found = at(5'000.0, 0.1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->component, "ner");
  EXPECT_DOUBLE_EQ(found->loss_per_word, 50.0);
  EXPECT_DOUBLE_EQ(found->least, 0.1);
  EXPECT_EQ(found->least_step, 1);
  EXPECT_DOUBLE_EQ(found->best_score, 0.5);
  EXPECT_FALSE(at(50'000.0, 0.0));
}

TEST_F(LossHistoryTest, AScoreThatNeverRoseCountsAsFallen) {
  EXPECT_FALSE(at(200.0, 0.0));
  EXPECT_TRUE(at(30'000.0, 0.0));
}

TEST_F(LossHistoryTest, ALossThatGrowsWhileTheScoreHoldsIsNone) {
  at(200.0, 0.0);
  at(10.0, 0.5);
  EXPECT_FALSE(at(5'000.0, 0.49));
}

TEST_F(LossHistoryTest, AScoreThatFallsWhileTheLossHoldsIsNone) {
  at(200.0, 0.0);
  at(10.0, 0.5);
  EXPECT_FALSE(at(500.0, 0.0));
}

TEST_F(LossHistoryTest, TinyLossesOfDataLearntByHeartAreNoise) {
  at(200.0, 0.0);
  at(1e-9, 0.9);
  EXPECT_FALSE(at(1e-3, 0.5));
  EXPECT_TRUE(at(100.0, 0.5));
}

// As with listeners, whose tok2vec gets its first gradient in step 1.
TEST_F(LossHistoryTest, ALossThatBeginsWithZeroIsMeasuredByTheOthers) {
  const auto read = [&](double ner, double tok2vec, double score) {
    const Losses losses = {{"ner", ner}, {"tok2vec", tok2vec}};
    return history_.look_at({.step = step_++, .score = score, .losses = losses, .words = 100});
  };
  EXPECT_FALSE(read(0.0, 0.0, 0.0));
  EXPECT_FALSE(read(50.0, 0.0, 0.5));
  LossHistory resumed;
  resumed.restore(history_.to_node());
  history_ = resumed;
  EXPECT_FALSE(read(50.0, 4e5, 0.1)) << "too little to be sure";
  EXPECT_FALSE(read(50.0, 3e7, 0.1)) << "by its own least from now on";
  const auto found = read(50.0, 5e7, 0.1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->component, "tok2vec");
  EXPECT_TRUE(found->is_own);
}

TEST_F(LossHistoryTest, ALossThatIsHugeFromTheStartIsTold) {
  const auto read = [&](double tok2vec, double score) {
    const Losses losses = {{"ner", 50.0}, {"tok2vec", tok2vec}};
    return history_.look_at({.step = step_++, .score = score, .losses = losses, .words = 100});
  };
  EXPECT_FALSE(read(0.0, 0.0));
  EXPECT_FALSE(read(4e18, 0.05));
  const auto found = read(1e17, 0.0);
  ASSERT_TRUE(found);
  const Losses none;
  EXPECT_THAT(growing_loss_message(*found, {.step = 2, .losses = none}, 50.0),
              HasSubstr("'tok2vec' is 1e+15 per word, where the losses of all components together "
                        "were 0.5 in step 0"));
}

TEST_F(LossHistoryTest, ItGoesOnFromWhatACheckpointKept) {
  at(200.0, 0.0);
  at(10.0, 0.5);
  LossHistory resumed;
  resumed.restore(history_.to_node());
  history_ = resumed;
  EXPECT_TRUE(at(5'000.0, 0.1));
  resumed.restore(history_.to_node());
  history_ = resumed;
  EXPECT_FALSE(at(5'000.0, 0.1));
}

TEST_F(LossHistoryTest, WithoutAHistoryItStartsAnew) {
  at(200.0, 0.0);
  history_.restore(Node());
  EXPECT_TRUE(history_.to_node().is_null());
}

TEST_F(LossHistoryTest, WhatIsNoHistoryIsRefused) {
  at(200.0, 0.5);
  const Node good = history_.to_node();
  for (const Node& odd : {Node(3), Node("x"), Node(Object())}) {
    EXPECT_THROW(history_.restore(odd), Error);
  }
  for (const char* key : {"components", "best_score", "told"}) {
    Node odd = good;
    odd.as_object().set(key, "x");
    EXPECT_THROW(history_.restore(odd), Error) << key;
  }
  for (const char* key : {"first", "least", "least_step"}) {
    Node odd = good;
    odd.as_object().find("components")->as_object().find("ner")->as_object().erase(key);
    EXPECT_THROW(history_.restore(odd), Error) << key;
  }
  history_.restore(good);
  EXPECT_TRUE(history_.to_node().same_value(good));
}

TEST_F(LossHistoryTest, TheWarningNamesStepComponentAndLearningRate) {
  const Losses losses = {{"ner", 5'000.0}};
  const LossReading reading{.step = 40, .score = 0.1, .losses = losses, .words = 100};
  const std::string text = growing_loss_message({"ner", 50.0, 0.1, 20, 0.5}, reading, 0.75);
  EXPECT_THAT(text, HasSubstr("in step 40 the loss of component 'ner' is 50 per word, where it was "
                              "0.1 in step 20"));
  EXPECT_THAT(text, HasSubstr("the score 0.1000, where it was 0.5000"));
  EXPECT_THAT(text, HasSubstr("the learning rate is 0.75"));
}

// As in a run whose first steps were skipped: its tok2vec has all but learnt nothing yet.
TEST_F(LossHistoryTest, ATinyLossBehindZeroIsNoise) {
  const auto read = [&](double tok2vec, double score) {
    const Losses losses = {{"ner", 50.0}, {"tok2vec", tok2vec}};
    return history_.look_at({.step = step_++, .score = score, .losses = losses, .words = 100});
  };
  EXPECT_FALSE(read(0.0, 0.5));
  EXPECT_FALSE(read(1e-3, 0.1));
  EXPECT_FALSE(read(0.2, 0.1));
  EXPECT_TRUE(read(6.0, 0.1));
}

}  // namespace
}  // namespace weft
