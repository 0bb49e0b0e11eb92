// A run of an array's elements, which one rank updates, and the blocks at whose borders arrays are
// cut for it. Sums over an array are made block by block, and then over the blocks in their order:
// so they have the same bits whatever ranks have the blocks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/tensor/shape.h"

namespace weft {

struct ArrayPart {
  std::int64_t begin = 0, end = 0;

  std::int64_t size() const { return end - begin; }
  bool is_empty() const { return begin >= end; }
  bool is_whole(std::int64_t elements) const { return begin == 0 && end == elements; }
  bool operator==(const ArrayPart&) const = default;
};

// About the most elements of a block: with all that is kept of them they stay in the second cache.
inline constexpr std::int64_t kBlockElements = 1 << 14;

// Whole rows of a table, so that gradients kept by rows fall into blocks; the pieces in which those
// of arrays with one dimension are kept do so too, since kBlockElements is a multiple of theirs.
inline std::int64_t block_length(const Shape& shape) {
  const std::int64_t width =
      shape.rank() < 2 ? 1 : std::max<std::int64_t>(1, shape[shape.rank() - 1]);
  return std::max<std::int64_t>(1, kBlockElements / width) * width;
}

// How many blocks so many elements from the border of a block on are.
inline std::int64_t count_blocks(std::int64_t elements, std::int64_t length) {
  return (elements + length - 1) / length;
}

}  // namespace weft
