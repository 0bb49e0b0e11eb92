#include "framework/text/row_table.h"

#include <utility>

namespace weft {
namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;

}  // namespace

RowTable::RowTable(std::size_t width) : width_(width), places_(64) {}

// The high half of the product depends on all values.
std::uint32_t RowTable::hash_of(const StringId* row) const {
  std::uint64_t hash = 0;
  std::uint64_t factor = kOdd;
  for (std::size_t i = 0; i < width_; ++i, factor += 2 * kOdd) hash += row[i] * factor;
  return static_cast<std::uint32_t>((hash ^ hash >> 32) * kOdd >> 32);
}

bool RowTable::is_row(std::uint32_t number, const StringId* wanted) const {
  const StringId* known = row(number);
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < width_; ++i) different |= known[i] ^ wanted[i];
  return different == 0;
}

std::uint32_t RowTable::number_of(const StringId* row, std::uint32_t hash) {
  std::size_t at = hash & mask();
  for (; places_[at].row != 0; at = (at + 1) & mask()) {
    if (places_[at].hash == hash && is_row(places_[at].row - 1, row)) return places_[at].row - 1;
  }
  const std::uint32_t number = add(row);
  places_[at] = {number + 1, hash};
  if (2 * rows_ > places_.size()) grow();
  return number;
}

std::uint32_t RowTable::add(const StringId* row) {
  values_.insert(values_.end(), row, row + width_);
  return static_cast<std::uint32_t>(rows_++);
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
