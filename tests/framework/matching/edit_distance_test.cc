#include "framework/matching/edit_distance.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

// The whole table, without bounds.
std::size_t distance(const std::u32string& a, const std::u32string& b) {
  std::vector<std::vector<std::size_t>> cells(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cells[i][j] = i + j;
        continue;
      }
      const std::size_t changed = cells[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cells[i][j] = std::min({changed, cells[i - 1][j] + 1, cells[i][j - 1] + 1});
    }
  }
  return cells[a.size()][b.size()];
}

TEST(EditDistance, IsThatOfTheWholeTable) {
  std::mt19937 random(1);
  const auto text = [&] {
    std::u32string made;
    for (auto left = random() % 9; left > 0; --left) made += U"abc"[random() % 3];
    return made;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::u32string a = text(), b = text();
    for (std::size_t most = 0; most < 10; ++most) {
      EXPECT_EQ(within_edits(a, b, most), distance(a, b) <= most);
    }
  }
}

// Blocks of 64 rows: texts of one, two and more of them, with characters beyond ASCII.
TEST(EditDistance, HoldsForAnyLength) {
  std::mt19937 random(2);
  const std::u32string_view alphabet = U"ab\u00e9\u4e2d";
  for (int round = 0; round < 150; ++round) {
    std::u32string a;
    for (auto left = random() % 200; left > 0; --left) a += alphabet[random() % alphabet.size()];
    std::u32string b = a;
    for (auto edits = random() % 60; edits > 0; --edits) {
      const std::size_t at = random() % (b.size() + 1);
      if (random() % 2 == 0 || at == b.size()) {
        b.insert(at, 1, alphabet[random() % alphabet.size()]);
      } else {
        b.erase(at, 1);
      }
    }
    const std::size_t apart = distance(a, b);
    EXPECT_TRUE(within_edits(a, b, apart));
    if (apart > 0) {
      EXPECT_FALSE(within_edits(a, b, apart - 1));
    }
  }
}

}  // namespace
}  // namespace weft
