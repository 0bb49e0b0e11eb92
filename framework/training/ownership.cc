#include "framework/training/ownership.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace weft {
namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

// Of arrays, by their size; equals stay in their order, so that all ranks find the same.
std::vector<std::size_t> largest_first(std::span<const std::size_t> sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  return order;
}

// How many of so many blocks each rank gets: equally many, and one more for those with the least.
std::vector<std::int64_t> shares_of(std::int64_t blocks, std::span<const std::size_t> loads) {
  const auto ranks = static_cast<std::int64_t>(loads.size());
  std::vector<std::int64_t> shares(loads.size(), blocks / ranks);
  std::vector<std::size_t> order(loads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return loads[a] < loads[b]; });
  for (std::int64_t i = 0; i < blocks % ranks; ++i) ++shares[order[static_cast<std::size_t>(i)]];
  return shares;
}

}  // namespace

Ownership::Ownership(std::size_t arrays, int ranks)
    : borders_(arrays, Borders(static_cast<std::size_t>(ranks) + 1, 0)) {}

void Ownership::give(std::size_t array, int rank) {
  std::fill(borders_[array].begin() + rank + 1, borders_[array].end(), kEnd);
}

Ownership Ownership::of_root(std::size_t arrays, int ranks) {
  Ownership all(arrays, ranks);
  for (std::size_t array = 0; array < arrays; ++array) all.give(array, 0);
  return all;
}

Ownership Ownership::of_arrays(std::span<const std::size_t> sizes, int ranks) {
  Ownership all(sizes.size(), ranks);
  std::vector<std::size_t> loads(static_cast<std::size_t>(ranks), 0);
  for (const std::size_t array : largest_first(sizes)) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += sizes[array];
    all.give(array, static_cast<int>(least - loads.begin()));
  }
  return all;
}

Ownership Ownership::of_blocks(std::span<const Shape> shapes, int ranks) {
  std::vector<std::size_t> sizes;
  for (const Shape& shape : shapes) sizes.push_back(static_cast<std::size_t>(shape.size()));
  Ownership all(shapes.size(), ranks);
  std::vector<std::size_t> loads(static_cast<std::size_t>(ranks), 0);
  for (const std::size_t array : largest_first(sizes)) {
    const std::int64_t length = block_length(shapes[array]), size = shapes[array].size();
    // An array without elements may get some.
    const std::int64_t blocks = std::max<std::int64_t>(1, count_blocks(size, length));
    const std::vector<std::int64_t> shares = shares_of(blocks, loads);
    Borders& borders = all.borders_[array];
    std::int64_t given = 0;
    for (std::size_t rank = 0; rank < loads.size(); ++rank) {
      borders[rank] = given == blocks ? kEnd : given * length;
      given += shares[rank];
      const std::int64_t end = std::min(given * length, size);
      loads[rank] += static_cast<std::size_t>(end - std::min(borders[rank], end));
    }
    borders.back() = kEnd;
  }
  return all;
}

ArrayPart Ownership::part(std::size_t array, int rank, std::int64_t elements) const {
  const Borders& borders = borders_[array];
  const auto at = static_cast<std::size_t>(rank);
  return {std::min(borders[at], elements), std::min(borders[at + 1], elements)};
}

int Ownership::owner(std::size_t array) const {
  const Borders& borders = borders_[array];
  const auto after = std::find_if(borders.begin() + 1, borders.end(),
                                  [](std::int64_t border) { return border > 0; });
  return static_cast<int>(after - borders.begin()) - 1;
}

}  // namespace weft
