#include "framework/nn/window_rows.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/random.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::vector<std::int32_t> numbers(ConstView view) {
  const auto* from = view.as<std::int32_t>();
  return {from, from + view.size()};
}

// With the memory of its tables.
struct FilledRows : WindowRows {
  template <class... Arguments>
  explicit FilledRows(std::span<const std::int64_t> lengths, Arguments... arguments)
      : WindowRows(lengths, arguments...), memory(static_cast<std::size_t>(size()), -7) {
    fill(memory.data());
  }
  std::vector<std::int32_t> memory;
};

// Padded: . . A A . . B . .
TEST(WindowRowsTest, EachLevelHasTheRowsThatTheNextOneSees) {
  const std::vector<std::int64_t> lengths{2, 1};
  const FilledRows rows(lengths, 1, 2, 2);
  EXPECT_EQ(rows.padded_rows(), 9);
  EXPECT_EQ(rows.rows(0), 3);
  EXPECT_EQ(numbers(rows.place(1)), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(numbers(rows.place(2)), (std::vector<std::int32_t>{2, 3, 6}));
  // Level 1 sees the input, in which padding is no row.
  EXPECT_EQ(numbers(rows.seen(1)),
            (std::vector<std::int32_t>{-1, -1, 0,  -1, 0,  1, 0,  1, -1, 1, -1,
                                       -1, -1, -1, 2,  -1, 2, -1, 2, -1, -1}));
  EXPECT_EQ(numbers(rows.seen(2)), (std::vector<std::int32_t>{0, 1, 2, 1, 2, 3, 4, 5, 6}));
}

TEST(WindowRowsTest, WidePaddingBetweenDocumentsIsLeftOut) {
  const std::vector<std::int64_t> lengths{1, 1};
  const FilledRows rows(lengths, 1, 2, 5);
  EXPECT_EQ(rows.padded_rows(), 17);
  EXPECT_EQ(numbers(rows.place(1)), (std::vector<std::int32_t>{4, 5, 6, 10, 11, 12}));
}

TEST(WindowRowsTest, DocumentsWithoutRowsTakeNoPartButTheirPaddingStands) {
  const std::vector<std::int64_t> lengths{0, 1, 0, 0, 1, 0};
  const FilledRows rows(lengths, 1, 3, 3);
  EXPECT_EQ(rows.padded_rows(), 7 * 3 + 2);
  EXPECT_EQ(numbers(rows.place(0)), (std::vector<std::int32_t>{6, 16}));
  EXPECT_EQ(numbers(rows.place(3)), numbers(rows.place(0)));
  EXPECT_EQ(rows.rows(1), 10);
  EXPECT_EQ(WindowRows({}, 1, 3, 3).rows(2), 0);
}

TEST(WindowRowsTest, AWindowOfNothingSeesItself) {
  const std::vector<std::int64_t> lengths{3};
  const FilledRows rows(lengths, 0, 2, 0);
  EXPECT_EQ(numbers(rows.seen(1)), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(numbers(rows.seen(2)), (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(WindowRowsTest, PaddingNarrowerThanWhatIsSeenIsRefused) {
  const std::vector<std::int64_t> lengths{3};
  EXPECT_THROW(WindowRows(lengths, 2, 2, 3), Error);
}

// A row that sees another in a column is what that one is seen by in it.
TEST(WindowRowsTest, WhoIsSeenKnowsByWhom) {
  const std::vector<std::int64_t> lengths{3, 0, 1, 5};
  const FilledRows rows(lengths, 2, 2, 4, WindowRows::Sides::both_sides);
  for (const int level : {1, 2}) {
    const std::vector<std::int32_t> by = numbers(rows.seen_by(level));
    const ConstView seen = rows.seen(level);
    ASSERT_EQ(by.size(), static_cast<std::size_t>(rows.rows(level - 1) * 5));
    std::int64_t seeing = 0, seen_rows = 0;
    for (std::int64_t i = 0; i < seen.rows(); ++i) {
      for (std::int64_t c = 0; c < 5; ++c) {
        const std::int32_t row = seen.row<std::int32_t>(i)[c];
        if (row < 0) continue;
        EXPECT_EQ(by[static_cast<std::size_t>(row * 5 + c)], i);
        ++seeing;
      }
    }
    for (const std::int32_t row : by) seen_rows += row >= 0 ? 1 : 0;
    EXPECT_EQ(seen_rows, seeing);
  }
}

// By the definition, place by place, for documents and paddings of many sizes.
TEST(WindowRowsTest, TablesAreThoseOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomStream random(seed, 0, 0);
    const int window = static_cast<int>(random.below(0, 3)), depth = 1 + static_cast<int>(seed % 4);
    const std::int64_t pad = window * depth + static_cast<std::int64_t>(random.below(1, 4));
    std::vector<std::int64_t> lengths;
    for (std::uint64_t i = 0; i < seed % 9; ++i) {
      lengths.push_back(static_cast<std::int64_t>(random.below(2 + i, 5)));
    }
    const FilledRows rows(lengths, window, depth, pad, WindowRows::Sides::both_sides);
    for (int level = 1; level <= depth; ++level) {
      const std::vector<std::int32_t> here = numbers(rows.place(level)),
                                      before = numbers(rows.place(level - 1));
      const auto row_at = [](const std::vector<std::int32_t>& places, std::int32_t place) {
        const auto found = std::find(places.begin(), places.end(), place);
        return found == places.end() ? -1 : static_cast<std::int32_t>(found - places.begin());
      };
      std::vector<std::int32_t> seen, seen_by;
      for (const std::int32_t place : here) {
        for (int c = -window; c <= window; ++c) seen.push_back(row_at(before, place + c));
      }
      for (const std::int32_t place : before) {
        for (int c = -window; c <= window; ++c) seen_by.push_back(row_at(here, place - c));
      }
      EXPECT_EQ(numbers(rows.seen(level)), seen) << seed << " " << level;
      EXPECT_EQ(numbers(rows.seen_by(level)), seen_by) << seed << " " << level;
      EXPECT_EQ(rows.seen_by(level).as<std::int32_t>() + seen_by.size() - rows.memory.data(),
                level == depth ? rows.size()
                               : rows.place(level + 1).as<std::int32_t>() - rows.memory.data());
    }
  }
}

}  // namespace
}  // namespace weft
