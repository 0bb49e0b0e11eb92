// Sums of squares in double: a block adds up its part of an array in a fixed order, and one block
// those of all parts.
#pragma once

#include <cstdint>

#include "framework/backends/cuda/launch.h"

namespace weft::cuda {

// The elements whose squares a block adds up.
inline constexpr std::int64_t kSquaresOfBlock = 4 * kThreads;

// The sum of what the threads left in `sums`, a power of two of them, at sums[0].
WEFT_KERNEL inline void join(Block& block, double* sums) {
  for (int apart = block.threads() / 2; apart > 0; apart /= 2) {
    block.each([&](int thread) {
      if (thread < apart) sums[thread] += sums[thread + apart];
    });
  }
}

}  // namespace weft::cuda
