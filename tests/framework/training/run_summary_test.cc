// The answers of `weft info` about runs whose files somebody has changed, and those that were
// ended.
#include "framework/training/run_summary.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

std::int64_t speed(std::int64_t words, double seconds) {
  RunSummary run;
  run.log.last = LoggedEvaluation{.words = words, .seconds = seconds};
  return describe_run(run).find("words per second")->as_integer();
}

TEST(RunSummary, SpeedsStayWithinBounds) {
  EXPECT_EQ(speed(900, 3.0), 300);
  EXPECT_EQ(speed(900, 0.0), 0);
  EXPECT_EQ(speed(900, 1e-300), 1'000'000'000'000'000);
  EXPECT_EQ(speed(-900, 1.0), 0);
}

TEST(RunSummary, TheCommandThatGoesOnIsToldWhereThereIsSomethingToGoOnFrom) {
  const auto tells = [](const char* ended, bool has_checkpoint, bool goes_on = false) {
    RunSummary run;
    run.ended = ended;
    run.has_checkpoint = has_checkpoint;
    run.goes_on = goes_on;
    return describe_run(run).contains("to go on");
  };
  EXPECT_TRUE(tells("interrupted", true));
  EXPECT_TRUE(tells("", true)) << "it was killed";
  EXPECT_FALSE(tells("", false));
  EXPECT_FALSE(tells("", true, true));
  EXPECT_FALSE(tells("max_steps", true));
}

}  // namespace
}  // namespace weft
