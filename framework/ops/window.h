// Windows of neighbouring rows.
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// y (n, (2w+1) d): row t holds rows t-w ... t+w of x (n, d), zeros beyond its ends.
struct WindowForward {
  static constexpr std::string_view name = "window_forward";
  static constexpr Category category = Category::any;
  static constexpr bool accumulates = false;
  using Fn = void(Stream&, ConstView x, int window, View y);
};

// dx (n, d) = the sum of all that came from each row.
struct WindowBackward {
  static constexpr std::string_view name = "window_backward";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView dy, int window, View dx);
};

}  // namespace weft
