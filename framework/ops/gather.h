// Rows of a matrix by number.
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// y row i = x row rows[i], or zeros where rows[i] < 0; rows are i32.
struct GatherRows {
  static constexpr std::string_view name = "gather_rows";
  static constexpr Category category = Category::any;
  static constexpr bool any_format = true;
  using Fn = void(Stream&, ConstView x, ConstView rows, View y);
};

// dx = beta dx, and then dx row rows[i] += dy row i, in the order of i. beta: 1, or 0, where all of
// dx is written, whatever it held.
struct ScatterAddRows {
  static constexpr std::string_view name = "scatter_add_rows";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, ConstView dy, ConstView rows, View dx, float beta);
};

}  // namespace weft
