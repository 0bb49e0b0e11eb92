#include "framework/training/progress_bar.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ProgressBar, ShowsTitleShareAndCount) {
  std::ostringstream terminal;
  {
    ProgressBar bar(terminal, "Epoch 2", 50, 200);
    EXPECT_THAT(terminal.str(), HasSubstr("Epoch 2:  25% |#######"));
    EXPECT_THAT(terminal.str(), HasSubstr("| 50/200 ["));
  }
  EXPECT_THAT(terminal.str(), EndsWith("\r\x1b[K"));  // the line is left empty
}

TEST(ProgressBar, CountsWhereTheEndIsUnknown) {
  std::ostringstream terminal;
  const ProgressBar bar(terminal, "Steps", 7, 0);
  EXPECT_THAT(terminal.str(), HasSubstr("Steps: 7 ["));
  EXPECT_THAT(terminal.str(), Not(HasSubstr("%")));
}

TEST(ProgressBar, IsFullAtItsEndAndBeyond) {
  for (const std::int64_t done : {10, 15}) {
    std::ostringstream terminal;
    const ProgressBar bar(terminal, "x", done, 10);
    EXPECT_THAT(terminal.str(), HasSubstr("100% |##############################|"));
  }
}

TEST(ProgressBar, DrawsAFewTimesASecondAtMost) {
  std::ostringstream terminal;
  ProgressBar bar(terminal, "x", 0, 100000);
  const std::size_t first = terminal.str().size();
  for (int i = 0; i < 1000; ++i) bar.advance();
  EXPECT_LT(terminal.str().size(), first * 10);
}

}  // namespace
}  // namespace weft
