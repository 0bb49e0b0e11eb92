#include "framework/parser/device_parses.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;
using transition::State;

State state(std::int32_t first, std::int32_t length) {
  State made;
  made.first = first;
  made.length = length;
  return made;
}

std::vector<std::int32_t> firsts(const std::vector<State>& states) {
  std::vector<std::int32_t> all;
  for (const State& one : states) all.push_back(one.first);
  return all;
}

TEST(DeviceParses, LongestComeFirstAndEqualOnesKeepTheirOrder) {
  const std::vector<State> states = {state(0, 2), state(2, 5), state(7, 2), state(9, 0)};
  EXPECT_THAT(firsts(longest_first(states)), ElementsAre(2, 0, 7, 9));
}

TEST(DeviceParses, ALimitOfRoundsCountsForTheOrder) {
  TrainingParses parses;
  parses.states = {state(0, 3), state(3, 9), state(12, 5)};
  parses.negatives = {{{0, 1, 7}}, {}, {{2, 3, 8}, {3, 4, 9}}};
  const TrainingParses sorted = longest_first(parses, 3);
  EXPECT_THAT(firsts(sorted.states), ElementsAre(0, 3, 12));
  EXPECT_THAT(firsts(longest_first(parses, 0).states), ElementsAre(3, 12, 0));
  EXPECT_EQ(longest_first(parses, 0).negatives[1].size(), 2u);
}

TEST(DeviceParses, ARoundHasARowForEachParseThatGoesOn) {
  const std::vector<State> states = {state(0, 3), state(3, 2), state(5, 2), state(7, 0)};
  EXPECT_THAT(round_begins(states, 0), ElementsAre(0, 3, 6, 7));
  EXPECT_THAT(round_begins(states, 1), ElementsAre(0, 3));
  EXPECT_THAT(round_begins({}, 0), ElementsAre(0));
}

TEST(DeviceParses, NegativeSpansLieInOneArray) {
  TrainingParses parses;
  parses.states = {state(0, 3), state(3, 9)};
  EXPECT_TRUE(FlatNegatives(parses).begin.empty());
  parses.negatives = {{}, {{2, 3, 8}, {3, 4, 9}}};
  const FlatNegatives flat(parses);
  EXPECT_THAT(flat.begin, ElementsAre(0, 0, 2));
  EXPECT_EQ(flat.spans[1].label, 9u);
}

}  // namespace
}  // namespace weft
