// Rows of numbers, each different one once and with a number of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/text/symbols.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

class WEFT_API RowTable {
 public:
  // `width`: values in a row.
  explicit RowTable(std::size_t width);

  std::size_t width() const { return width_; }
  std::size_t rows() const { return rows_; }
  std::size_t bytes() const { return values_.size() * sizeof(StringId); }

  // The number of a row of `width` values, old or new.
  std::uint32_t number_of(const StringId* row) { return number_of(row, hash_of(row)); }
  // In two steps, so that several rows can be on their way from memory at a time.
  std::uint32_t hash_of(const StringId* row) const {
    // Pairs of values and a last one by itself, each against a factor of its own: rows are taken
    // from files, and sums that can be foreseen could be made equal.
    std::uint64_t hash = 0;
    std::size_t i = 0;
    for (; i + 1 < width_; i += 2) {
      hash += folded_product(row[i] ^ factors_[i], row[i + 1] ^ factors_[i + 1]);
    }
    if (i < width_) hash += folded_product(row[i] ^ factors_[i], factors_[i + 1]);
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
  }
  void prefetch_place(std::uint32_t hash) const { __builtin_prefetch(&places_[hash & mask()]); }
  void prefetch_row(std::uint32_t hash) const {
    const std::uint32_t row = places_[hash & mask()].row;
    __builtin_prefetch(values_.data() + (row == 0 ? 0 : row - 1) * width_);
  }
  std::uint32_t number_of(const StringId* row, std::uint32_t hash) {
    std::size_t at = hash & mask();
    for (; places_[at].row != 0; at = (at + 1) & mask()) {
      if (places_[at].hash == hash && is_row(places_[at].row - 1, row)) return places_[at].row - 1;
    }
    return add(row, hash, at);
  }
  // A row by its number; valid until the next call of `number_of`.
  const StringId* row(std::uint32_t number) const { return values_.data() + number * width_; }

 private:
  struct Place {
    std::uint32_t row = 0;  // from 1; 0 = free
    std::uint32_t hash = 0;
  };
  std::size_t mask() const { return places_.size() - 1; }
  bool is_row(std::uint32_t number, const StringId* wanted) const {
    const StringId* known = row(number);
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < width_; ++i) different |= known[i] ^ wanted[i];
    return different == 0;
  }
  // Puts a new row at a free place; gives its number.
  std::uint32_t add(const StringId* row, std::uint32_t hash, std::size_t place);
  void grow();

  std::size_t width_;
  std::vector<std::uint64_t> factors_;  // of the process; one per value, and one more
  std::size_t rows_ = 0;
  std::vector<StringId> values_;
  std::vector<Place> places_;  // open addressing, a power of two, at most half of it taken
};

}  // namespace weft
