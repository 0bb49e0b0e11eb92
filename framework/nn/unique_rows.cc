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

UniqueRows unique_rows(Context& ctx, const Tensor& ids) {
  const std::int64_t n = ids.dim(0), columns = ids.dim(1);
  UniqueRows result{ctx.host_array({n, columns}, DType::u64), ctx.host_array({n}, DType::i32)};
  // Open addressing, at most half full: entries are numbers of unique rows.
  std::vector<std::int32_t> table(std::bit_ceil(static_cast<std::size_t>(2 * n + 1)), -1);
  const std::uint64_t mask = table.size() - 1;
  const auto* all = ids.data<std::uint64_t>();
  auto* unique = result.rows.data<std::uint64_t>();
  auto* index = result.index.data<std::int32_t>();
  std::int32_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t* row = all + i * columns;
    std::uint64_t at = hash_of(row, columns) & mask;
    while (table[at] >= 0 && !std::equal(row, row + columns, unique + table[at] * columns)) {
      at = (at + 1) & mask;
    }
    if (table[at] < 0) {
      table[at] = count;
      std::copy_n(row, columns, unique + count * columns);
      ++count;
    }
    index[i] = table[at];
  }
  result.rows = ctx.placed(result.rows.rows(0, count));
  result.index = ctx.placed(result.index);
  return result;
}

}  // namespace weft
