// Numbers of an array that steps can change. Where the weight, its moments and its average are zero
// and it gets no gradient, they stay so: of the weights of rare words most are such, and to leave
// them out is exact. For the optimizer's own sources alone.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/nn/parameter.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API LiveNumbers {
 public:
  // Those of `parameter` that are not zero in all of the arrays (f32, of its size; empty ones are
  // left out). Found anew where the weights are others than after the last step.
  void find(const Parameter& parameter, std::span<const Tensor* const> arrays);
  // The numbers of these blocks come to them, where their gradient is none.
  void add(const RowGradient& blocks);
  // After a step.
  void remember(const Parameter& parameter);

  // Whether they are few enough to be worth it.
  bool are_few() const { return count_ * 4 < size_; }
  // Those in [begin, begin + count), less `begin`, in order. `begin` is a multiple of 64.
  void in_slice(std::int64_t begin, std::int64_t count, std::vector<std::int32_t>& found) const;

 private:
  void set(std::int64_t number) {
    std::uint64_t& word = words_[static_cast<std::size_t>(number / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    count_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }

  std::vector<std::uint64_t> words_;  // a bit for each number
  std::int64_t size_ = 0, count_ = 0;
  const void* weights_ = nullptr;
  std::uint64_t version_ = 0;
};

}  // namespace weft
