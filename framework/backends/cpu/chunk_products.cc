#include "framework/backends/cpu/chunk_products.h"

#include "framework/backends/cpu/kept_memory.h"

namespace weft::cpu {

void ChunkProducts::begin_chunk(std::int64_t first, std::int64_t count) {
  first_ = first;
  count_ = count;
  dz_ = kept_array<float>(Kept::gradients, count * f_.outputs);
}

ChunkProducts::Rows ChunkProducts::rows(std::int64_t first, std::int64_t count) const {
  if (f_.x.seen == nullptr) return {f_.x.data + first * f_.x.stride, f_.x.stride};
  auto* gathered = kept_array<float>(Kept::rows, count * f_.x.length());
  gather_wide_rows(f_.x, first, count, gathered);
  return {gathered, f_.x.length()};
}

}  // namespace weft::cpu
