#include "framework/backends/cpu/vector_panel.h"

#include <algorithm>

namespace weft::cpu {

namespace {

// Each column's numbers lie side by side. Sixteen columns at once: what is written of them shares
// lines of the cache.
void transpose_columns(const Factor& factor, std::int64_t column, std::int64_t columns,
                       std::int64_t depth, const float* from, float* to) {
  constexpr std::int64_t kAtOnce = 16;
  const std::int64_t there = std::clamp<std::int64_t>(factor.lines - column, 0, columns);
  for (std::int64_t first = 0; first < there; first += kAtOnce) {
    const std::int64_t end = std::min(first + kAtOnce, there);
    for (std::int64_t d = 0; d < depth; ++d) {
      for (std::int64_t j = first; j < end; ++j) to[d * columns + j] = from[j * factor.stride + d];
    }
  }
  if (there == columns) return;
  for (std::int64_t d = 0; d < depth; ++d) {
    std::fill(to + d * columns + there, to + (d + 1) * columns, 0.0F);
  }
}

// Columns [column, end) of row d, which is made of parts.
void copy_parts(const Factor& factor, std::int64_t d, std::int64_t column, std::int64_t end,
                float* to) {
  while (column < end) {
    const std::int64_t part = column / factor.width, within = column % factor.width;
    const std::int64_t count = std::min(factor.width - within, end - column);
    const std::int32_t row = factor.seen[d * factor.parts + part];
    if (row < 0) {
      std::fill_n(to, count, 0.0F);
    } else {
      std::copy_n(factor.data + row * factor.stride + within, count, to);
    }
    column += count;
    to += count;
  }
}

}  // namespace

void pack_panel(const Factor& factor, std::int64_t column, std::int64_t columns, std::int64_t d,
                std::int64_t depth, float* to) {
  if (factor.depth_contiguous) {
    const float* from = factor.data + column * factor.stride + d;
    return transpose_columns(factor, column, columns, depth, from, to);
  }
  const std::int64_t end = std::min(column + columns, factor.lines);
  for (std::int64_t row = d; row < d + depth; ++row, to += columns) {
    if (factor.seen != nullptr) {
      copy_parts(factor, row, column, end, to);
    } else {
      std::copy(factor.data + row * factor.stride + column, factor.data + row * factor.stride + end,
                to);
    }
    std::fill(to + (end - column), to + columns, 0.0F);
  }
}

}  // namespace weft::cpu
