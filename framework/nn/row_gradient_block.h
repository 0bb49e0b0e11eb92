// How gradients of arrays with one dimension are kept where a step touches few of their numbers.
#pragma once

#include <cstdint>

namespace weft {

// Numbers of a block, of which `Gradients::rows_of` keeps those that are touched: as long as a line
// of a cache. Arrays whose length it does not divide are kept whole.
inline constexpr std::int64_t kRowGradientBlock = 16;

}  // namespace weft
