#include "framework/training/ownership.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace weft {
namespace {

using Sizes = std::vector<std::size_t>;
using Owners = std::vector<int>;

Owners owners_of(const Sizes& sizes, int ranks) {
  const Ownership all = Ownership::of_arrays(sizes, ranks);
  Owners owners;
  for (std::size_t i = 0; i < sizes.size(); ++i) owners.push_back(all.owner(i));
  return owners;
}

std::vector<std::int64_t> parts_of(const Ownership& all, std::size_t array, int ranks,
                                   std::int64_t size) {
  std::vector<std::int64_t> counts;
  std::int64_t before = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const ArrayPart part = all.part(array, rank, size);
    EXPECT_EQ(part.begin, before) << "rank " << rank;
    counts.push_back(part.size());
    before = part.end;
  }
  EXPECT_EQ(before, size);
  return counts;
}

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

TEST(Ownership, ArraysThatStayWholeGrowWithTheirOwner) {
  const Ownership all = Ownership::of_arrays(Sizes{9, 5}, 3);
  EXPECT_EQ(parts_of(all, 1, 3, 5), (std::vector<std::int64_t>{0, 5, 0}));
  EXPECT_EQ(parts_of(all, 1, 3, 8), (std::vector<std::int64_t>{0, 8, 0}));
  EXPECT_EQ(parts_of(Ownership::of_root(2, 3), 1, 3, 5), (std::vector<std::int64_t>{5, 0, 0}));
}

TEST(Ownership, BlocksOfAnArrayAreSpread) {
  const Shape shapes[] = {{5 * kBlockElements + 3}, {100}};
  const Ownership two = Ownership::of_blocks(shapes, 2);
  EXPECT_EQ(parts_of(two, 0, 2, shapes[0].size()),
            (std::vector<std::int64_t>{3 * kBlockElements, 2 * kBlockElements + 3}));
  // The small one to the rank with less.
  EXPECT_EQ(parts_of(two, 1, 2, 100), (std::vector<std::int64_t>{0, 100}));
  const Ownership four = Ownership::of_blocks(shapes, 4);
  EXPECT_EQ(parts_of(four, 0, 4, shapes[0].size()),
            (std::vector<std::int64_t>{2 * kBlockElements, 2 * kBlockElements, kBlockElements, 3}));
}

// A gradient that is kept by rows falls into parts.
TEST(Ownership, TablesAreCutBetweenRows) {
  const Shape shapes[] = {{5000, 96}, {1000, 96}, {2500, 60}};
  for (const int ranks : {1, 2, 3, 4, 7}) {
    const Ownership all = Ownership::of_blocks(shapes, ranks);
    std::vector<std::int64_t> loads(static_cast<std::size_t>(ranks), 0);
    for (std::size_t i = 0; i < std::size(shapes); ++i) {
      const auto parts = parts_of(all, i, ranks, shapes[i].size());
      for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        EXPECT_EQ(parts[rank] % shapes[i][1], 0);
        loads[rank] += parts[rank];
      }
    }
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    EXPECT_LE(*most - *least, 2 * kBlockElements) << ranks << " ranks";
  }
}

// The borders before stay where they are: state and gradients need not move.
TEST(Ownership, RowsThatComeLaterAreTheLastOwners) {
  const Shape shapes[] = {{2 * kBlockElements + 8}, {8}};
  const Ownership all = Ownership::of_blocks(shapes, 4);
  EXPECT_EQ(parts_of(all, 0, 4, shapes[0].size()),
            (std::vector<std::int64_t>{kBlockElements, kBlockElements, 8, 0}));
  EXPECT_EQ(parts_of(all, 0, 4, 3 * kBlockElements),
            (std::vector<std::int64_t>{kBlockElements, kBlockElements, kBlockElements, 0}));
}

TEST(Ownership, AnArrayThatIsStillEmptyHasAnOwner) {
  const Shape shapes[] = {{0}};
  const Ownership all = Ownership::of_blocks(shapes, 2);
  EXPECT_EQ(parts_of(all, 0, 2, 12), (std::vector<std::int64_t>{12, 0}));
}

}  // namespace
}  // namespace weft
