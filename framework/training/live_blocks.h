// Blocks of an array that steps can change. Where the weights of a block, their moments and
// averages are all zero and get no gradient, they stay so: of the weights of rare words most are
// such, and to leave them out is exact. For the optimizer's own sources alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/nn/parameter.h"
#include "framework/nn/row_gradient.h"
#include "framework/nn/row_gradient_block.h"
#include "framework/training/array_part.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API LiveBlocks {
 public:
  // Those of a part of `parameter` that are not zero in all of the arrays (f32, of its size, which
  // is blocks of kRowGradientBlock, or of the part; empty ones are left out). Found anew where the
  // weights are others than after the last step.
  void find(const Parameter& parameter, ArrayPart part, std::span<const Tensor* const> arrays);
  // Those that have a gradient come to them.
  void add(const RowGradient& gradient);
  // After a step, or all would be looked at again.
  void remember(const Parameter& parameter, bool was_plain);

  // Whether the last step was one that changes nothing without a gradient. The first of them still
  // makes 0 of -0, and of numbers too small for the processor's mode: it goes over all blocks.
  bool follow_plain_step() const { return follow_plain_step_; }
  // Whether they are few enough to be worth it: to gather a block takes as long as a step.
  bool are_few() const { return count_ * 2 < part_size_ / kRowGradientBlock; }
  // The numbers of those among elements [begin, begin + count), in order. `begin` is a multiple of
  // 64 blocks.
  void in_slice(std::int64_t begin, std::int64_t count, std::vector<std::int32_t>& found) const;

 private:
  void set(std::int64_t block) {
    std::uint64_t& word = words_[static_cast<std::size_t>(block / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (block % 64);
    count_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }

  std::vector<std::uint64_t> words_;  // a bit for each block
  std::int64_t size_ = 0, part_size_ = 0, count_ = 0;
  const void* weights_ = nullptr;
  std::uint64_t version_ = 0;
  bool follow_plain_step_ = false;
};

}  // namespace weft
