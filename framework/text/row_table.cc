#include "framework/text/row_table.h"

#include <utility>

namespace weft {

RowTable::RowTable(std::size_t width) : width_(width), places_(64) {
  for (std::uint64_t i = 0; i <= width; ++i) factors_.push_back(seeded_hash(i));
}

std::uint32_t RowTable::add(const StringId* row, std::uint32_t hash, std::size_t place) {
  values_.insert(values_.end(), row, row + width_);
  const auto number = static_cast<std::uint32_t>(rows_++);
  places_[place] = {number + 1, hash};
  if (2 * rows_ > places_.size()) grow();
  return number;
}

void RowTable::grow() {
  const std::vector<Place> old = std::exchange(places_, std::vector<Place>(2 * places_.size()));
  for (const Place& place : old) {
    if (place.row == 0) continue;
    std::size_t at = place.hash & mask();
    while (places_[at].row != 0) at = (at + 1) & mask();
    places_[at] = place;
  }
}

}  // namespace weft
