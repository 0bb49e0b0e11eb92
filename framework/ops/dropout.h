// Random masks.
#pragma once

#include <cstdint>
#include <string_view>

#include "framework/ops/kernel.h"
#include "framework/ops/random.h"

namespace weft {

// mask[i] = 1/(1 - rate) where word offset + i of the stream is at least rate (as a fraction of
// 2^32), else 0.
struct DropoutMask {
  static constexpr std::string_view name = "dropout_mask";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, const RandomStream& random, std::uint64_t offset, double rate,
                  View mask);
};

// The same for each row of mask (n, width): row i starts at element offsets[i] (n, i64).
struct DropoutMaskRows {
  static constexpr std::string_view name = "dropout_mask_rows";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, const RandomStream& random, ConstView offsets, double rate, View mask);
};

// The draws of a dropout site, for kernels that make its mask while they need it (DropoutMask).
struct DropoutDraws {
  RandomStream random;
  std::uint64_t offset;  // of the mask's first element
  double rate;
};

// y = x times the mask of those draws, which is made on the way: contiguous matrices of one shape.
// A kernel for devices alone; on the CPU a mask is multiplied by.
struct ApplyDropout {
  static constexpr std::string_view name = "apply_dropout";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, ConstView x, const DropoutDraws& draws, View y);
};

// Words come in groups of 64 from 16 counters, ordered so that 16 of them are computed side by
// side.
inline constexpr std::uint64_t kMaskLanes = 16, kMaskGroup = 4 * kMaskLanes;

struct MaskPlace {
  std::uint64_t block;  // of the stream
  int word;             // of its four
};
constexpr MaskPlace mask_place(std::uint64_t element) {
  const std::uint64_t group = element / kMaskGroup, within = element % kMaskGroup;
  return {group * kMaskLanes + within % kMaskLanes, static_cast<int>(within / kMaskLanes)};
}

// Words below the threshold drop.
constexpr std::uint32_t mask_threshold(double rate) {
  const double words = rate * 4294967296.0 + 0.5;  // to be rounded down
  return words >= 4294967295.5 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(words);
}

}  // namespace weft
