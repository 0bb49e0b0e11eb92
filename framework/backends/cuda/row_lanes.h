// Sums and maxima along rows. Sixteen threads, the lanes, share a row: lane j takes the elements
// j, j + 16, j + 32 and so on, and the lanes are joined in pairs 8, 4, 2 and 1 apart. That is the
// order of the CPU's kernels (framework/backends/cpu/vector_math.h); it depends neither on the
// other rows nor on their number.
#pragma once

#include <cstdint>

#include "framework/backends/cuda/launch.h"

namespace weft::cuda {

class RowLanes {
 public:
  static constexpr int kLanes = 16;
  static constexpr int kRows = 8;  // of a block
  static constexpr int kThreadsOfBlock = kLanes * kRows;

  // Takes shared memory for `kinds` results for each row; see `shared_size`.
  WEFT_KERNEL RowLanes(Block& block, std::int64_t rows, std::int64_t width, int kinds)
      : block_(block),
        rows_(rows),
        width_(width),
        values_(block.shared<float>(kinds * kThreadsOfBlock)) {}

  static SharedSize shared_size(int kinds) {
    return SharedSize().add<float>(kinds * kThreadsOfBlock);
  }
  static std::int64_t blocks_for(std::int64_t rows) { return divide_up(rows, kRows); }

  // Joins what `lane(row, j)` gives for the elements j of every row: result number `kind`.
  template <class Lane, class Join>
  WEFT_KERNEL void reduce(int kind, float start, Lane lane, Join join) const {
    float* values = values_ + kind * kThreadsOfBlock;
    block_.each([&](int thread) {
      float value = start;
      const std::int64_t row = row_of(thread);
      if (row < rows_) {
        for (std::int64_t j = thread % kLanes; j < width_; j += kLanes) {
          value = join(value, lane(row, j));
        }
      }
      values[thread] = value;
    });
    for (int apart = kLanes / 2; apart > 0; apart /= 2) {
      block_.each([&](int thread) {
        if (thread % kLanes < apart) values[thread] = join(values[thread], values[thread + apart]);
      });
    }
  }
  template <class Lane>
  WEFT_KERNEL void sum(int kind, Lane lane) const {
    reduce(kind, 0.0F, lane, [](float a, float b) { return a + b; });
  }
  // Calls function(row, j, thread) for all elements, after what was reduced before.
  template <class Function>
  WEFT_KERNEL void for_elements(Function function) const {
    block_.each([&](int thread) {
      const std::int64_t row = row_of(thread);
      if (row >= rows_) return;
      for (std::int64_t j = thread % kLanes; j < width_; j += kLanes) function(row, j, thread);
    });
  }
  // Result number `kind` of a row of this block; to be read in regions only.
  WEFT_KERNEL float result(int kind, std::int64_t row) const {
    const std::int64_t of_block = row - block_.index() * kRows;
    return values_[kind * kThreadsOfBlock + of_block * kLanes];
  }

 private:
  WEFT_KERNEL std::int64_t row_of(int thread) const {
    return block_.index() * kRows + thread / kLanes;
  }

  const Block& block_;
  std::int64_t rows_, width_;
  float* values_;
};

}  // namespace weft::cuda
