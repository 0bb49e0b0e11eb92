// Which rows of a matrix of ids are equal: work that depends on a row alone is done once for each
// different one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/context.h"
#include "registry/base/export.h"

namespace weft {

// Numbers of different rows of ids: 0, 1, 2 ... in order of first appearance.
class WEFT_API RowNumbers {
 public:
  // Room for so many rows at first.
  explicit RowNumbers(std::int64_t columns, std::int64_t rows = 0);

  std::int32_t number_of(const std::uint64_t* row);
  std::int64_t size() const { return size_; }
  // Rows [first, size()), one after the other.
  std::span<const std::uint64_t> rows_from(std::int64_t first) const {
    return std::span(rows_).subspan(static_cast<std::size_t>(first * columns_));
  }

 private:
  std::size_t place_of(const std::uint64_t* row) const;
  void grow();

  std::int64_t columns_, size_ = 0;
  std::vector<std::uint64_t> rows_;
  std::vector<std::int32_t> table_;  // open addressing, at most half full; -1: free
};

// The number of each row of ids (n, columns, u64) as (n, i32); both on the host.
WEFT_API Tensor number_rows(Context& ctx, RowNumbers& numbers, const Tensor& ids);

struct UniqueRows {
  Tensor rows;   // (m, columns, u64): each different row once, in order of first appearance
  Tensor index;  // (n, i32): which of them every row is
};

// Of ids (n, columns, u64) on the host; both arrays where the context runs.
WEFT_API UniqueRows unique_rows(Context& ctx, const Tensor& ids);

}  // namespace weft
