#include "framework/backends/cpu/vector_panel.h"

#include <algorithm>
#include <cstring>

#include "framework/backends/cpu/vector_block.h"

namespace weft::cpu {

namespace {

// Numbers of a line of the cache: so many columns are written at once.
constexpr std::int64_t kOfLine = 16;
// Rows whose pieces are fetched ahead: they lie too far apart for the processor to guess.
constexpr std::int64_t kAhead = 8;

using Four [[gnu::vector_size(16)]] = float;

Four four_at(const float* from) {
  Four numbers;
  std::memcpy(&numbers, from, sizeof numbers);
  return numbers;
}

// Four columns, whose numbers lie side by side, for four depths.
void transpose_block(const float* from, std::int64_t stride, std::int64_t columns, float* to) {
  const Four a = four_at(from), b = four_at(from + stride);
  const Four c = four_at(from + 2 * stride), d = four_at(from + 3 * stride);
  const Four ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Four ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Four cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Four rows[] = {
      __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7),
      __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5), __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7)};
  for (const Four& row : rows) {
    std::memcpy(to, &row, sizeof row);
    to += columns;
  }
}

// Depths [d, depth) of columns [j, end), one by one.
void transpose_rest(const float* from, std::int64_t stride, std::int64_t j, std::int64_t end,
                    std::int64_t d, std::int64_t depth, std::int64_t columns, float* to) {
  for (std::int64_t row = d; row < depth; ++row) {
    for (std::int64_t i = j; i < end; ++i) to[row * columns + i] = from[i * stride + row];
  }
}

// Each column's numbers lie side by side.
void transpose_columns(const Factor& factor, std::int64_t column, std::int64_t columns,
                       std::int64_t depth, const float* from, float* to) {
  const std::int64_t there = std::clamp<std::int64_t>(factor.lines - column, 0, columns);
  const std::int64_t blocks = there / 4 * 4, depths = depth / 4 * 4, stride = factor.stride;
  for (std::int64_t first = 0; first < blocks; first += kOfLine) {
    for (std::int64_t d = 0; d < depths; d += 4) {
      for (std::int64_t j = first; j < std::min(first + kOfLine, blocks); j += 4) {
        transpose_block(from + j * stride + d, stride, columns, to + d * columns + j);
      }
    }
  }
  transpose_rest(from, stride, 0, blocks, depths, depth, columns, to);
  transpose_rest(from, stride, blocks, there, 0, depth, columns, to);
  if (there == columns) return;
  for (std::int64_t d = 0; d < depth; ++d) {
    std::fill(to + d * columns + there, to + (d + 1) * columns, 0.0F);
  }
}

// The widths of panels are constants, so that these copies are no calls.
void copy_numbers(const float* from, std::int64_t count, float* to) {
  constexpr std::int64_t kLong = kColumnsOfPanel<LongVectors>;
  constexpr std::int64_t kShort = kColumnsOfPanel<ShortVectors>;
  if (count == kLong) {
    std::memcpy(to, from, kLong * sizeof(float));
  } else if (count == kShort) {
    std::memcpy(to, from, kShort * sizeof(float));
  } else {
    std::copy_n(from, count, to);
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
      copy_numbers(factor.data + row * factor.stride + within, count, to);
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
      const float* from = factor.data + row * factor.stride + column;
      for (std::int64_t j = 0; j < columns && row + kAhead < d + depth; j += kOfLine) {
        __builtin_prefetch(from + kAhead * factor.stride + j);
      }
      copy_numbers(from, end - column, to);
    }
    std::fill(to + (end - column), to + columns, 0.0F);
  }
}

Packing vector_packing(const VectorUnit& unit, const Factor& weights) {
  const std::int64_t columns = unit.columns;
  return {static_cast<std::size_t>(unit.panels(weights.lines)),
          static_cast<std::size_t>(weights.depth * columns) * sizeof(float),
          [weights, columns](std::int64_t i, void* to) {
            pack_panel(weights, i * columns, columns, 0, weights.depth, static_cast<float*>(to));
          }};
}

}  // namespace weft::cpu
