#include "framework/training/progress_line.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const ProgressParts parts{.texts = {"step 50/200", "25%", "0:10 left", "12 steps/s", "epoch 2"},
                          .share = 0.25};

TEST(FittedLine, HasAllPartsAndABarWhereThereIsRoom) {
  EXPECT_EQ(fitted_line(parts, 100),
            "step 50/200  25%  0:10 left  12 steps/s  epoch 2  [#######.......................]");
}

TEST(FittedLine, FitsEveryWidthAndDropsTheLeastImportantFirst) {
  for (std::size_t width = 0; width < 120; ++width) {
    EXPECT_LE(fitted_line(parts, width).size(), width);
  }
  EXPECT_EQ(fitted_line(parts, 79).size(), 79u);
  EXPECT_EQ(fitted_line(parts, 50), "step 50/200  25%  0:10 left  12 steps/s  epoch 2");
  EXPECT_EQ(fitted_line(parts, 40), "step 50/200  25%  0:10 left  12 steps/s");
  EXPECT_EQ(fitted_line(parts, 30), "step 50/200  25%  0:10 left");
  EXPECT_EQ(fitted_line(parts, 8), "step 50/");
}

TEST(FittedLine, HasNoBarWhereTheShareIsUnknown) {
  EXPECT_EQ(fitted_line({.texts = {"step 7"}}, 100), "step 7");
}

class ProgressLineTest : public ::testing::Test {
 protected:
  std::ostringstream terminal_;
  int width_ = 40;
  ProgressLine line_{terminal_, [this] { return width_; }};
};

TEST_F(ProgressLineTest, LeavesTheLineEmptyWhenItIsCleared) {
  line_.show(parts);
  EXPECT_EQ(terminal_.str(), "step 50/200  25%  0:10 left  12 steps/s");  // 39 of 40 columns
  line_.clear();
  EXPECT_THAT(terminal_.str(), EndsWith("\r\x1b[K"));
}

TEST_F(ProgressLineTest, IsDrawnAFewTimesASecondAtMostOrAtOnce) {
  line_.show(parts);
  const std::string once = terminal_.str();
  for (int i = 0; i < 1000; ++i) line_.show(parts);
  EXPECT_LT(terminal_.str().size(), once.size() * 10);
  terminal_.str("");
  line_.show({.texts = {"other"}}, true);
  EXPECT_EQ(terminal_.str(), "\r\x1b[Kother");
}

// A terminal of 39 columns has wrapped nothing; one of 10 shows the line on four.
TEST_F(ProgressLineTest, ALineThatANarrowerTerminalBrokeIsTakenAwayWhole) {
  line_.show(parts);
  terminal_.str("");
  width_ = 10;
  line_.show(parts, true);
  EXPECT_EQ(terminal_.str(), "\r\x1b[K\x1b[A\x1b[K\x1b[A\x1b[K\x1b[A\x1b[Kstep 50/2");
}

TEST_F(ProgressLineTest, WhatIsWrittenAboveTakesTheLineAwayFirst) {
  std::ostringstream out;
  ProgressLine::Above above(out, line_);
  line_.show(parts);
  above << "a row\n" << std::flush;
  EXPECT_THAT(terminal_.str(), EndsWith("\r\x1b[K"));
  EXPECT_EQ(out.str(), "a row\n");
}

TEST_F(ProgressLineTest, NothingIsDrawnBehindTextWithoutALineFeed) {
  std::ostringstream out;
  ProgressLine::Above above(out, line_);
  above << "half";
  line_.show(parts, true);
  EXPECT_THAT(terminal_.str(), IsEmpty());
  above << " a line\n";
  line_.show(parts, true);
  EXPECT_THAT(terminal_.str(), HasSubstr("step 50"));
}

}  // namespace
}  // namespace weft
