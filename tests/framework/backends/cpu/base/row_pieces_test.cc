#include "framework/backends/cpu/base/row_pieces.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::cpu {
namespace {

using Pieces = std::vector<std::pair<std::int64_t, std::int64_t>>;

Pieces pieces_of(std::int64_t rows, std::int64_t width, std::int64_t fewest) {
  Pieces pieces;
  for_row_pieces(nullptr, rows, width, fewest, [&](std::int64_t first, std::int64_t count) {
    pieces.emplace_back(first, count);
  });
  return pieces;
}

TEST(RowPieces, HoldAllRowsAndEnoughNumbersEach) {
  for (std::int64_t rows = 1; rows < 60; ++rows) {
    std::int64_t next = 0;
    const Pieces pieces = pieces_of(rows, 5, 40);
    for (const auto& [first, count] : pieces) {
      EXPECT_EQ(first, next) << rows;
      EXPECT_GE(count, std::min<std::int64_t>(rows, 8));
      next += count;
    }
    EXPECT_EQ(next, rows);
  }
  EXPECT_THAT(pieces_of(19, 5, 40), ::testing::ElementsAre(std::pair(0, 10), std::pair(10, 9)));
}

TEST(RowPieces, LongRowsAreOnePieceEachAndNoRowsNone) {
  EXPECT_EQ(pieces_of(3, 100, 40).size(), 3U);
  EXPECT_EQ(pieces_of(3, 0, 40).size(), 1U);
  EXPECT_TRUE(pieces_of(0, 5, 40).empty());
}

}  // namespace
}  // namespace weft::cpu
