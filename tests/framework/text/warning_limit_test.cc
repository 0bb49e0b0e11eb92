#include "framework/text/warning_limit.h"

#include <sstream>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(WarningLimit, ShowsTheFirstOfEachKindAndCountsTheOthers) {
  std::ostringstream err;
  WarningLimit warnings(err, 2);
  for (int i = 0; i < 1000; ++i) warnings.show("a", "a" + std::to_string(i));
  warnings.show("b", "b0");
  EXPECT_EQ(err.str(), "a0\na1\nb0\n");
  warnings.summarize();
  EXPECT_EQ(err.str(), "a0\na1\nb0\n... and 998 more of this kind: a\n");
}

TEST(WarningLimit, ASummaryTellsOfWhatCameSince) {
  std::ostringstream err;
  WarningLimit warnings(err, 1);
  for (int i = 0; i < 3; ++i) warnings.show("a", "x");
  warnings.summarize();
  warnings.show("a", "x");
  warnings.summarize();
  warnings.summarize();
  EXPECT_EQ(err.str(), "x\n... and 2 more of this kind: a\n... and 1 more of this kind: a\n");
}

TEST(WarningLimit, SaysNothingWhereAllWereShown) {
  std::ostringstream err;
  WarningLimit warnings(err);
  warnings.show("a", "x");
  warnings.summarize();
  EXPECT_EQ(err.str(), "x\n");
}

}  // namespace
}  // namespace weft
