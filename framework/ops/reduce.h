// Sums over rows, and one row for each sequence of a ragged array.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "framework/ops/elementwise.h"
#include "framework/ops/kernel.h"

namespace weft {

// total (d) = beta total + the sum over the rows of x (n, d). beta: 1, or 0, where total is
// written, whatever it held.
struct AddColumnSums {
  static constexpr std::string_view name = "add_column_sums";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, ConstView x, View total, float beta);
};

// How the rows of a sequence become one. A sequence without rows gives zeros.
enum class Pool : std::uint8_t { sum, mean, max, first, last };

// y row s = pool of the lengths[s] rows of sequence s of x. `winners` (i32, the shape of y)
// receives for `max` which row of x gave each element, the first one on ties (-1 where there is
// none); it is not used otherwise.
struct PoolForward {
  static constexpr std::string_view name = "pool_forward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, Pool pool, ConstView x, std::span<const std::int64_t> lengths, View y,
                  View winners);
};
// dx = gradient of x (every element is written).
struct PoolBackward {
  static constexpr std::string_view name = "pool_backward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, Pool pool, ConstView dy, std::span<const std::int64_t> lengths,
                  ConstView winners, View dx);
};

}  // namespace weft
