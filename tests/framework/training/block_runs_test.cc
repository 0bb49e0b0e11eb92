#include "framework/training/block_runs.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

std::vector<std::int32_t> run_with(const BlockRuns& runs, std::int64_t block) {
  const auto found = runs.of_run_with(block);
  return {found.begin(), found.end()};
}

TEST(BlockRuns, HaveTheTouchedBlocksInTheOrderOfTheirTouch) {
  const std::vector<std::int32_t> touched{2050, 7, 1023, 2048, 0};
  const BlockRuns runs(touched, 3000);
  EXPECT_EQ(run_with(runs, 0), (std::vector<std::int32_t>{7, 1023, 0}));
  EXPECT_EQ(run_with(runs, 1023), run_with(runs, 0));
  EXPECT_TRUE(run_with(runs, 1024).empty());
  EXPECT_EQ(run_with(runs, 2048), (std::vector<std::int32_t>{2050, 2048}));
}

TEST(BlockRuns, OfNothingAreEmpty) {
  EXPECT_TRUE(BlockRuns().of_run_with(0).empty());
  EXPECT_TRUE(BlockRuns({}, 5000).of_run_with(4096).empty());
}

}  // namespace
}  // namespace weft
