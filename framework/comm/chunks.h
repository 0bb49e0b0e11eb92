// Pieces of long arrays, for libraries that count in `int`.
#pragma once

#include <algorithm>
#include <cstddef>

namespace weft {

// Calls use(begin, count) for [0, size) in pieces of at most `most`; not at all for 0.
template <class Use>
void for_each_chunk(std::size_t size, std::size_t most, Use use) {
  for (std::size_t begin = 0; begin < size; begin += most) {
    use(begin, std::min(most, size - begin));
  }
}

}  // namespace weft
