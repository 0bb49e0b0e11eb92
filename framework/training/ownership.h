// Which rank updates which elements of which parameter. The optimizer's state of them is kept there
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/tensor/shape.h"
#include "framework/training/array_part.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API Ownership {
 public:
  Ownership() = default;
  // Rank 0 has all of so many arrays.
  static Ownership of_root(std::size_t arrays, int ranks);
  // Arrays stay whole: the largest first, each to the rank with the least so far; among equals the
  // first. `sizes` is in elements.
  static Ownership of_arrays(std::span<const std::size_t> sizes, int ranks);
  // Every rank gets as many blocks of each array as another, one behind the other; those left over
  // go to the ranks with the least so far. Ranks differ by about a block.
  static Ownership of_blocks(std::span<const Shape> shapes, int ranks);

  // Of an array that has so many elements by now: rows that have come since are the last owner's.
  ArrayPart part(std::size_t array, int rank, std::int64_t elements) const;
  // The first rank with elements of it.
  int owner(std::size_t array) const;

 private:
  // Where the parts of the ranks begin, and where the last one ends.
  using Borders = std::vector<std::int64_t>;
  void give(std::size_t array, int rank);
  Ownership(std::size_t arrays, int ranks);

  std::vector<Borders> borders_;
};

}  // namespace weft
