// The category of an op for the precision policy: one of six words, the same for our ops and for
// those of plugins. Source: docs/precision.md, "Op categories".
#pragma once

#include <string_view>

#include "registry/base/export.h"

namespace weft {

enum class Category : unsigned char {
  low,          // floating inputs are cast to the run's 16-bit format, sums are kept in f32
  f32,          // floating inputs are cast to f32, and so is the output
  promote,      // all inputs are cast to the widest floating format among them
  match_first,  // later inputs are cast to the format of the first: in-place forms
  any,          // the input's format is kept, arithmetic happens in f32 registers
  banned,       // refused when an input is 16 bits wide
};

// "low", "f32", "promote", "match_first", "any", "banned".
WEFT_API std::string_view name_of(Category category);

}  // namespace weft
