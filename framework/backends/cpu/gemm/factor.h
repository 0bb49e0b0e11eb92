// One of the two matrices of a product, as it lies in memory.
#pragma once

#include <cstdint>

namespace weft::cpu {

// `lines` rows of a or columns of b, of `depth` numbers each.
struct Factor {
  const float* data;
  std::int64_t stride;    // of the dimension that is not contiguous, in elements
  bool depth_contiguous;  // whether the numbers of a line lie side by side
  std::int64_t lines, depth;
  // Where its rows are not those of memory: row i is that of `parts` rows of memory side by side,
  // numbers seen[i * parts] ..., zeros where negative, each `width` long. For tiles the width is a
  // multiple of 32.
  const std::int32_t* seen = nullptr;
  std::int64_t parts = 1, width = 0;
};

}  // namespace weft::cpu
