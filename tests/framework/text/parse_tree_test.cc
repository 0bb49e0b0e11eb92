#include "framework/text/parse_tree.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;

std::vector<std::int8_t> starts(const std::vector<std::int32_t>& heads,
                                std::vector<StringId> deps = {}) {
  if (deps.empty()) deps.assign(heads.size(), 7);
  return sent_starts_of_heads(heads, deps);
}

TEST(ParseTree, ASentenceBeginsAtTheLeftEdgeOfItsRoot) {
  // She left . | They stayed
  EXPECT_THAT(starts({1, 0, -1, 1, 0}), ElementsAre(1, -1, -1, 1, -1));
  EXPECT_THAT(starts({0}), ElementsAre(1));
  EXPECT_THAT(starts({}), ElementsAre());
}

TEST(ParseTree, ChainsOfHeadsReachTheRoot) {
  EXPECT_THAT(starts({1, 1, 1, 0, 0}), ElementsAre(1, -1, -1, -1, 1));
  EXPECT_THAT(starts({0, -1, -1, -1}), ElementsAre(1, -1, -1, -1));
}

TEST(ParseTree, ARootWithoutLabelBeginsNothing) {
  EXPECT_THAT(starts({0, 0, 0}, {7, 0, 7}), ElementsAre(1, -1, 1));
}

TEST(ParseTree, CyclesEnd) {
  EXPECT_THAT(starts({1, -1}), ElementsAre(-1, -1));
  EXPECT_THAT(starts({1, 1, -2, 0}), ElementsAre(-1, -1, -1, 1));
}

}  // namespace
}  // namespace weft
