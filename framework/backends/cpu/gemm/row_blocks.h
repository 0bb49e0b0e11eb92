// Blocks of rows that a pass works on one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::cpu {

// Rows [first, first + count).
struct RowRange {
  std::int64_t first, count;
};

// Blocks of `size` rows in [first, first + count).
struct RowBlocks {
  RowRange rows;
  std::int64_t size;

  std::size_t count() const { return static_cast<std::size_t>((rows.count + size - 1) / size); }
  RowRange operator[](std::size_t i) const {
    const std::int64_t before = static_cast<std::int64_t>(i) * size;
    return {rows.first + before, std::min(size, rows.count - before)};
  }
  std::vector<RowRange> list() const {
    std::vector<RowRange> all(count());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = (*this)[i];
    return all;
  }
};

// The size of an even number of blocks of about as many each, at most `most`: two threads end
// together where there are a few blocks only.
inline std::int64_t size_of_pairs(std::int64_t count, std::int64_t most) {
  const std::int64_t blocks = (count + 2 * most - 1) / (2 * most) * 2;
  return (count + blocks - 1) / blocks;
}

}  // namespace weft::cpu
