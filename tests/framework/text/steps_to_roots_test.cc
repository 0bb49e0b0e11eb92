#include "framework/text/steps_to_roots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int> steps(std::initializer_list<int> heads) {
  return steps_to_roots(std::vector<int>(heads));
}

TEST(StepsToRoots, OfTrees) {
  EXPECT_THAT(steps({}), IsEmpty());
  EXPECT_THAT(steps({0}), ElementsAre(0));
  EXPECT_THAT(steps({1, 2, 2, 0}), ElementsAre(2, 1, 0, 3));
  EXPECT_THAT(steps({0, 0, 3, 3, 2}), ElementsAre(0, 1, 1, 0, 2)) << "two roots";
}

TEST(StepsToRoots, OfCirclesAndTheTokensBelowThem) {
  EXPECT_THAT(steps({1, 0}), ElementsAre(2, 2));
  EXPECT_THAT(steps({1, 0, 1, 3, 3}), ElementsAre(5, 5, 5, 0, 1));
  EXPECT_THAT(steps({2, 0, 1, 0}), ElementsAre(4, 4, 4, 4));
}

}  // namespace
}  // namespace weft
