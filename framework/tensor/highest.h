// The place of the highest of many scores.
#pragma once

#include <cstddef>
#include <span>

#include "registry/base/export.h"

namespace weft {

// The place of the first of the highest values, as std::max_element finds it: a NaN is never
// higher, and stays where it comes first. 0 for no values.
WEFT_API std::size_t first_highest(std::span<const float> values);

}  // namespace weft
