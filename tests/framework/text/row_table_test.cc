#include "framework/text/row_table.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(RowTable, NumbersRowsInTheOrderOfTheirFirstAppearance) {
  RowTable table(3);
  const std::array<StringId, 3> a = {1, 2, 3}, b = {1, 2, 4}, c = {3, 2, 1}, zeros = {};
  EXPECT_EQ(table.number_of(a.data()), 0u);
  EXPECT_EQ(table.number_of(b.data()), 1u);
  EXPECT_EQ(table.number_of(a.data()), 0u);
  EXPECT_EQ(table.number_of(c.data()), 2u);
  EXPECT_EQ(table.number_of(zeros.data()), 3u);
  EXPECT_EQ(table.number_of(zeros.data()), 3u);
  EXPECT_EQ(table.rows(), 4u);
  EXPECT_EQ(table.bytes(), 4 * sizeof a);
  EXPECT_EQ(table.row(1)[2], 4u);
}

TEST(RowTable, KeepsThemAllWhileItGrows) {
  RowTable table(2);
  for (int round = 0; round < 2; ++round) {
    for (StringId i = 0; i < 20'000; ++i) {
      // Neighbours in either half, which a weak hash would put into one place.
      const std::array<StringId, 2> row = {i << 40, i % 100};
      ASSERT_EQ(table.number_of(row.data()), i);
    }
  }
  EXPECT_EQ(table.rows(), 20'000u);
  EXPECT_EQ(table.row(12'345)[0], StringId{12'345} << 40);
}

TEST(RowTable, ARowMayHaveNoValues) {
  RowTable table(0);
  const StringId none = 0;
  EXPECT_EQ(table.number_of(&none), 0u);
  EXPECT_EQ(table.number_of(&none), 0u);
  EXPECT_EQ(table.rows(), 1u);
}

// Sums of these rows, weighted by factors that anybody can look up, are all zero.
TEST(RowTable, RowsCannotBeMadeToMeet) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t inverse = kFactor;  // of three times it, by Newton's steps
  for (int i = 0; i < 6; ++i) inverse *= 2 - 3 * kFactor * inverse;
  RowTable table(2);
  std::set<std::uint32_t> hashes;
  for (StringId i = 1; i <= 1000; ++i) {
    const std::array<StringId, 2> row = {i, 0 - i * kFactor * inverse};
    hashes.insert(table.hash_of(row.data()));
  }
  EXPECT_GT(hashes.size(), 990u);
}

}  // namespace
}  // namespace weft
