#include "framework/training/ownership.h"

#include <algorithm>
#include <numeric>

namespace weft {

std::vector<int> owners_of(std::span<const std::size_t> sizes, int ranks) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  std::vector<std::size_t> loads(static_cast<std::size_t>(ranks), 0);
  std::vector<int> owners(sizes.size(), 0);
  for (const std::size_t array : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += sizes[array];
    owners[array] = static_cast<int>(least - loads.begin());
  }
  return owners;
}

}  // namespace weft
