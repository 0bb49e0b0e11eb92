#include "framework/backends/cpu/gemm/vector_panel.h"

#include <algorithm>
#include <cstring>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/precision/element_type.h"

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

// A panel is read depth by depth, as many columns at once as a block of sums has. Where a column's
// numbers lie side by side in memory, packing is a transposition, done here in registers, 4 x 4.
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

// Zeros beyond the columns that are there let the kernel multiply whole vectors; their sums are not
// stored.
inline void fill_columns(std::int64_t there, std::int64_t columns, std::int64_t depth, float* to) {
  if (there == columns) return;
  for (std::int64_t d = 0; d < depth; ++d) {
    std::fill(to + d * columns + there, to + (d + 1) * columns, 0.0F);
  }
}

// Each column's numbers lie side by side.
void transpose_columns(const Factor& factor, std::int64_t column, std::int64_t columns,
                       std::int64_t depth, const float* from, float* to) {
  const std::int64_t there = std::clamp<std::int64_t>(factor.lines - column, 0, columns);
  const std::int64_t blocks = there / 4 * 4, depths = depth / 4 * 4, stride = factor.stride;
  // Sixteen columns are done for all depths before the next: whole lines of the cache are written.
  for (std::int64_t first = 0; first < blocks; first += kOfLine) {
    for (std::int64_t d = 0; d < depths; d += 4) {
      for (std::int64_t j = first; j < std::min(first + kOfLine, blocks); j += 4) {
        transpose_block(from + j * stride + d, stride, columns, to + d * columns + j);
      }
    }
  }
  transpose_rest(from, stride, 0, blocks, depths, depth, columns, to);
  transpose_rest(from, stride, blocks, there, 0, depth, columns, to);
  fill_columns(there, columns, depth, to);
}

// In lines, so that short copies are no calls.
inline void copy_numbers(const float* __restrict from, std::int64_t count, float* __restrict to) {
  std::int64_t i = 0;
  for (; i + kOfLine <= count; i += kOfLine) {
    std::memcpy(to + i, from + i, kOfLine * sizeof(float));
  }
  for (; i < count; ++i) to[i] = from[i];
}

// Columns [column, end) of rows [d, d + depth), which are made of parts. Inlined always, as what
// follows: neither would be built for each processor as its own function.
[[gnu::always_inline]] inline void copy_parts(const Factor& factor, std::int64_t column,
                                              std::int64_t end, std::int64_t d, std::int64_t depth,
                                              std::int64_t columns, float* to) {
  while (column < end) {
    const std::int64_t part = column / factor.width, within = column % factor.width;
    const std::int64_t count = std::min(factor.width - within, end - column);
    for (std::int64_t i = 0; i < depth; ++i) {
      const std::int32_t row = factor.seen[(d + i) * factor.parts + part];
      if (row < 0) {
        std::fill_n(to + i * columns, count, 0.0F);
      } else {
        copy_numbers(factor.numbers() + row * factor.stride + within, count, to + i * columns);
      }
    }
    column += count;
    to += count;
  }
}

// Columns [column, end) of rows as they lie in memory.
[[gnu::always_inline]] inline void copy_rows(const Factor& factor, std::int64_t column,
                                             std::int64_t end, std::int64_t d, std::int64_t depth,
                                             std::int64_t columns, float* to) {
  const float* from = factor.numbers() + d * factor.stride + column;
  for (std::int64_t i = 0; i < depth; ++i, from += factor.stride) {
    for (std::int64_t j = 0; j < columns && i + kAhead < depth; j += kOfLine) {
      __builtin_prefetch(from + kAhead * factor.stride + j);
    }
    copy_numbers(from, end - column, to + i * columns);
  }
}

// The panel of a factor that is not contiguous along its depth.
WEFT_CPU_CLONES void copy_panel(const Factor& factor, std::int64_t column, std::int64_t columns,
                                std::int64_t d, std::int64_t depth, float* to) {
  const std::int64_t end = std::min(column + columns, factor.lines);
  if (factor.seen != nullptr) {
    copy_parts(factor, column, end, d, depth, columns, to);
  } else {
    copy_rows(factor, column, end, d, depth, columns, to);
  }
  fill_columns(end - column, columns, depth, to);
}

// Of a factor of 16 bits. Its lines are widened for a panel at a time, so that all of it in f32 is
// neither written to memory nor read from there.
void pack_low_panel(const Factor& factor, std::int64_t column, std::int64_t columns, std::int64_t d,
                    std::int64_t depth, float* to) {
  const std::int64_t there = std::clamp<std::int64_t>(factor.lines - column, 0, columns);
  const auto* bits = static_cast<const std::uint16_t*>(factor.data);
  if (!factor.depth_contiguous) {
    const ConstView rows(bits + d * factor.stride + column, factor.type, {depth, there},
                         factor.stride);
    cast_rows(rows, View(to, DType::f32, {depth, there}, columns));
    fill_columns(there, columns, depth, to);
    return;
  }
  const ConstView lines(bits + column * factor.stride + d, factor.type, {there, depth},
                        factor.stride);
  const ScratchArray<float> wide(ScratchUse::rows, there * depth);
  cast_rows(lines, View(wide, DType::f32, {there, depth}));
  transpose_columns({wide, depth, true, there, depth}, 0, columns, depth, wide, to);
}

}  // namespace

void pack_panel(const Factor& factor, std::int64_t column, std::int64_t columns, std::int64_t d,
                std::int64_t depth, float* to) {
  if (is_low(factor.type)) return pack_low_panel(factor, column, columns, d, depth, to);
  if (!factor.depth_contiguous) return copy_panel(factor, column, columns, d, depth, to);
  const float* from = factor.numbers() + column * factor.stride + d;
  transpose_columns(factor, column, columns, depth, from, to);
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
