#include "framework/tensor/highest.h"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr std::size_t kLanes = 8, kBlock = 32;

// The highest of a block and of the highest before it. Each lane waits for its own comparisons
// alone: a single row of them takes several times as long, as each waits for the one before.
float highest_with(float before, const float* block) {
  float lanes[kLanes];
  std::fill(lanes, lanes + kLanes, before);
  for (std::size_t i = 0; i < kBlock; i += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      lanes[j] = block[i + j] > lanes[j] ? block[i + j] : lanes[j];
    }
  }
  return *std::max_element(lanes, lanes + kLanes);
}

}  // namespace

std::size_t first_highest(std::span<const float> values) {
  if (values.empty() || std::isnan(values[0])) return 0;
  float highest = values[0];
  std::size_t place = 0, at = 0;  // from here on it is found; the block at hand
  for (; at + kBlock <= values.size(); at += kBlock) {
    const float found = highest_with(highest, values.data() + at);
    if (found > highest) highest = found, place = at;
  }
  for (; at < values.size(); ++at) {
    if (values[at] > highest) highest = values[at], place = at;
  }
  while (values[place] != highest) ++place;
  return place;
}

}  // namespace weft
