#include "framework/training/run_progress.h"

#include <chrono>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MovingRate, ForgetsWhatIsLongAgo) {
  MovingRate rate(10.0);
  EXPECT_EQ(rate.rate(), 0.0);
  for (int i = 0; i < 100; ++i) rate.add(1.0, 1.0);
  EXPECT_DOUBLE_EQ(rate.rate(), 1.0);
  for (int i = 0; i < 10; ++i) rate.add(5.0, 1.0);
  EXPECT_DOUBLE_EQ(rate.rate(), 5.0);
  rate.add(1.0, 100.0);  // one step that is longer than all
  EXPECT_DOUBLE_EQ(rate.rate(), 0.01);
}

TEST(DurationText, SaysSecondsToDays) {
  EXPECT_EQ(duration_text(0.0), "0:00");
  EXPECT_EQ(duration_text(65.4), "1:05");
  EXPECT_EQ(duration_text(7439.0), "2:03:59");
  EXPECT_EQ(duration_text(3 * 86400 + 4 * 3600 + 5 * 60), "3d 04:05");
  EXPECT_THAT(duration_text(1e300), HasSubstr("d "));
}

class RunProgressTest : public ::testing::Test {
 protected:
  // A step that takes so many seconds; the last text on the terminal.
  std::string step(const RunStand& stand, double seconds) {
    progress_.begin_step();
    now_ += seconds;
    progress_.line().clear();
    terminal_.str("");
    std::this_thread::sleep_for(std::chrono::milliseconds(110));  // between two draws
    progress_.stepped(stand);
    return terminal_.str();
  }

  std::ostringstream terminal_;
  double now_ = 0.0;
  RunProgress progress_{terminal_, [] { return 120; }, [this] { return now_; }};
};

TEST_F(RunProgressTest, SaysHowFarHowFastAndHowLong) {
  EXPECT_THAT(step({.step = 50, .epoch = 2, .last_step = 200.0, .eval_frequency = 1000}, 0.5),
              HasSubstr("step 50/200  25%  1:15 left  2.0 steps/s  epoch 2  [#######..."));
}

TEST_F(RunProgressTest, ABoundThatPatienceMayUndercutIsOne) {
  EXPECT_THAT(
      step({.step = 50, .last_step = 200.0, .may_end_sooner = true, .eval_frequency = 1000}, 2.0),
      HasSubstr("at most 5:00 left  2.0 s/step"));
}

TEST_F(RunProgressTest, TheTimeLeftCountsEvaluationsToCome) {
  progress_.begin_evaluation(10);
  now_ += 30.0;
  progress_.end_evaluation();
  // 100 steps of a second, with evaluations at 150 and 200.
  EXPECT_THAT(step({.step = 100, .last_step = 200.0, .eval_frequency = 50}, 1.0),
              HasSubstr("2:40 left"));
}

TEST_F(RunProgressTest, WithoutAnEndItCounts) {
  const std::string text = step({.step = 7, .eval_frequency = 1000}, 1.0);
  EXPECT_THAT(text, HasSubstr("step 7  1.0 steps/s  epoch 0"));
  EXPECT_THAT(text, Not(HasSubstr("%")));
}

TEST_F(RunProgressTest, ALoggerMayAskForTheNextEvaluation) {
  progress_.aim_at(ProgressTarget::next_evaluation);
  EXPECT_THAT(step({.step = 150, .last_step = 2000.0, .eval_frequency = 200}, 1.0),
              HasSubstr("step 150, evaluation at 200  75%  0:50 left"));
}

TEST_F(RunProgressTest, EvaluationsShowDocumentsAndTheirTime) {
  progress_.begin_evaluation(200);
  EXPECT_THAT(terminal_.str(), HasSubstr("evaluating"));
  std::this_thread::sleep_for(std::chrono::milliseconds(110));
  now_ += 2.0;
  progress_.evaluated(50);
  EXPECT_THAT(terminal_.str(), HasSubstr("evaluating 50/200  25%  0:06 left  25 documents/s"));
}

TEST_F(RunProgressTest, ReadingIsShownUntilTheRunBegins) {
  progress_.reading("corpora.train", 12);
  EXPECT_THAT(terminal_.str(), HasSubstr("reading [corpora.train]  12 documents"));
  progress_.begin();
  terminal_.str("");
  std::this_thread::sleep_for(std::chrono::milliseconds(110));
  progress_.reading("corpora.train", 13);
  EXPECT_EQ(terminal_.str(), "");
}

}  // namespace
}  // namespace weft
