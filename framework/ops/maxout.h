// Maxout: the largest of several pieces. Goodfellow and others (2013), "Maxout networks".
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// y (n, o) = the largest of z (n, o, pieces); winners (n, o, u8) the first piece that has it. With
// one piece y = z.
struct MaxoutForward {
  static constexpr std::string_view name = "maxout_forward";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView z, View y, View winners);
};

// dz (n, o, pieces): dy where a piece won, 0 elsewhere.
struct MaxoutBackward {
  static constexpr std::string_view name = "maxout_backward";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView dy, ConstView winners, View dz);
};

}  // namespace weft
