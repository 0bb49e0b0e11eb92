// Sums of f32 arrays as a tree: of n parts the first 2^k, the largest power of two below n, are
// added up, then the others, then both sums. A rank that has the parts of a whole subtree can add
// them up alone, and the sum over all ranks has the bits of one rank. Source: docs/distributed.md,
// "sync.v1".
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "framework/ops/elementwise.h"
#include "framework/tensor/stream.h"

namespace weft {

// How many of so many parts, at least two, stand on the left of the tree's root.
inline std::size_t left_of_tree(std::size_t parts) {
  return std::bit_floor(parts - 1);
}

class TreeSum {
 public:
  // Parts of at most so many numbers.
  TreeSum(std::size_t most_parts, std::int64_t most_numbers)
      : numbers_(most_numbers),
        scratch_(std::bit_width(most_parts) * static_cast<std::size_t>(most_numbers)) {}

  // Parts that are null are left out; nothing is written if all are. `to` may be the first part.
  void add(std::span<const float* const> parts, float* to, std::int64_t count) {
    add_below(parts, to, count, scratch_.data());
  }

 private:
  // Whether any part was there.
  bool add_below(std::span<const float* const> parts, float* to, std::int64_t count,
                 float* scratch) {
    if (parts.size() == 1) {
      const float* only = parts.front();
      if (only != nullptr && only != to) {
        std::memcpy(to, only, static_cast<std::size_t>(count) * sizeof(float));
      }
      return only != nullptr;
    }
    if (parts.size() == 2 && parts.front() != nullptr && parts.back() != nullptr) {
      add_two(parts.front(), parts.back(), to, count);
      return true;
    }
    const std::size_t half = left_of_tree(parts.size());
    const auto right = parts.subspan(half);
    if (!add_below(parts.first(half), to, count, scratch)) {
      return add_below(right, to, count, scratch);
    }
    if (right.size() == 1) {
      if (right.front() != nullptr) add_numbers(to, right.front(), count);
    } else if (add_below(right, scratch, count, scratch + numbers_)) {
      add_numbers(to, scratch, count);
    }
    return true;
  }
  // In one pass, and in steps of a known length, which the compiler makes vectors of. `to` may be
  // the left array.
  static void add_two(const float* left, const float* right, float* to, std::int64_t count) {
    constexpr std::int64_t kStep = 8;
    std::int64_t at = 0;
    for (; at + kStep <= count; at += kStep) {
      std::array<float, kStep> sums;
      for (std::int64_t i = 0; i < kStep; ++i) {
        sums[static_cast<std::size_t>(i)] = left[at + i] + right[at + i];
      }
      std::memcpy(to + at, sums.data(), sizeof sums);
    }
    for (; at < count; ++at) to[at] = left[at] + right[at];
  }
  // By the kernel that is built for each instruction set.
  void add_numbers(float* to, const float* from, std::int64_t count) {
    kernel_(host_, View(to, DType::f32, {1, count}), ConstView(from, DType::f32, {1, count}));
  }

  std::int64_t numbers_;
  std::vector<float> scratch_;
  Stream host_;
  AddInPlace::Fn* kernel_ = kernel_of<AddInPlace>(DeviceKind::cpu);
};

}  // namespace weft
