#include "framework/nn/unique_rows.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "registry/base/seeded_hash.h"

namespace weft {

namespace {

std::uint64_t hash_of(const std::uint64_t* row, std::int64_t columns) {
  std::uint64_t hash = 0;
  for (std::int64_t c = 0; c < columns; ++c) {
    hash = folded_product(std::rotl(hash, 29) ^ row[c] ^ kHashSeeds.first, kHashSeeds.second);
  }
  return hash;
}

}  // namespace

RowNumbers::RowNumbers(std::int64_t columns, std::int64_t rows)
    : columns_(columns), table_(std::bit_ceil(static_cast<std::size_t>(2 * rows + 2)), -1) {
  rows_.reserve(static_cast<std::size_t>(rows * columns));
}

// Of the row's number, or where it would be.
std::size_t RowNumbers::place_of(const std::uint64_t* row) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash_of(row, columns_) & mask;
  while (table_[at] >= 0 &&
         !std::equal(row, row + columns_, rows_.data() + table_[at] * columns_)) {
    at = (at + 1) & mask;
  }
  return at;
}

void RowNumbers::grow() {
  table_.assign(2 * table_.size(), -1);
  for (std::int64_t i = 0; i < size_; ++i) {
    table_[place_of(rows_.data() + i * columns_)] = static_cast<std::int32_t>(i);
  }
}

std::int32_t RowNumbers::number_of(const std::uint64_t* row) {
  std::size_t at = place_of(row);
  if (table_[at] >= 0) return table_[at];
  if (2 * static_cast<std::size_t>(size_ + 1) > table_.size()) {
    grow();
    at = place_of(row);
  }
  rows_.insert(rows_.end(), row, row + columns_);
  return table_[at] = static_cast<std::int32_t>(size_++);
}

Tensor number_rows(Context& ctx, RowNumbers& numbers, const Tensor& ids) {
  const std::int64_t n = ids.dim(0), columns = ids.dim(1);
  Tensor index = ctx.host_array({n}, DType::i32);
  const auto* row = ids.data<std::uint64_t>();
  auto* number = index.data<std::int32_t>();
  for (std::int64_t i = 0; i < n; ++i) number[i] = numbers.number_of(row + i * columns);
  return index;
}

UniqueRows unique_rows(Context& ctx, const Tensor& ids) {
  const std::int64_t n = ids.dim(0), columns = ids.dim(1);
  RowNumbers numbers(columns, n);
  Tensor index = number_rows(ctx, numbers, ids);
  Tensor rows = ctx.host_array({numbers.size(), columns}, DType::u64);
  std::ranges::copy(numbers.rows_from(0), rows.data<std::uint64_t>());
  return {ctx.placed(rows), ctx.placed(index)};
}

}  // namespace weft
