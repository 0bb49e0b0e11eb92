// Ops on each element by itself. Views are matrices with any row stride.
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// to += from.
struct AddInPlace {
  static constexpr std::string_view name = "add_in_place";
  static constexpr Category category = Category::promote;
  using Fn = void(Stream&, View to, ConstView from);
};

// x *= factor; a factor of one row is used for every row of x.
struct MultiplyInPlace {
  static constexpr std::string_view name = "multiply_in_place";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, View x, ConstView factor);
};

// y = x * factor; a factor of one row is used for every row of x.
struct Multiply {
  static constexpr std::string_view name = "multiply";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView x, ConstView factor, View y);
};

// y = x * factor, one number.
struct Scale {
  static constexpr std::string_view name = "scale";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView x, float factor, View y);
};

// to = from; between floating types it casts.
struct CopyRows {
  static constexpr std::string_view name = "copy_rows";
  static constexpr Category category = Category::promote;
  static constexpr bool accumulates = false;
  static constexpr bool any_format = true;
  using Fn = void(Stream&, ConstView from, View to);
};

}  // namespace weft
