#include "framework/training/ownership.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

using Sizes = std::vector<std::size_t>;
using Owners = std::vector<int>;

TEST(Ownership, TheLargestGoToTheRankWithTheLeast) {
  EXPECT_EQ(owners_of(Sizes{5, 100, 40, 60, 5}, 2), (Owners{0, 0, 1, 1, 1}));
  EXPECT_EQ(owners_of(Sizes{5, 5, 5}, 1), (Owners{0, 0, 0}));
  EXPECT_EQ(owners_of(Sizes{}, 4), Owners{});
}

TEST(Ownership, WithMoreRanksThanArraysSomeHaveNone) {
  EXPECT_EQ(owners_of(Sizes{3, 2}, 4), (Owners{0, 1}));
}

// The same on every rank, whatever the sort does with equals.
TEST(Ownership, EqualsGoInTheirOrder) {
  EXPECT_EQ(owners_of(Sizes{7, 7, 7, 7}, 2), (Owners{0, 1, 0, 1}));
}

}  // namespace
}  // namespace weft
