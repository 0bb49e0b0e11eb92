// Winners column by column. Gradients lie row by row, while lists go through one group at a time:
// transposed blocks spare a read of one number per line of the cache. Inlined into functions that
// are compiled for a vector unit, and never otherwise (see vector_block.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {

// Rows, and groups, that are transposed together.
inline constexpr std::int64_t kWinnerBlock = 16;
// Rows whose numbers of one group stand side by side, read in vectors some time later.
inline constexpr std::int64_t kWinnerRows = 128;

// Numbers of sixteen groups, and which piece they went to.
struct WinnerColumns {
  alignas(64) float d[kWinnerBlock][kWinnerRows];
  alignas(64) std::uint8_t winners[kWinnerBlock][kWinnerRows];
};

// Of one group, `count` rows from `row` on. Blocks of sixteen can be read.
struct GroupRows {
  const float* d;
  const std::uint8_t* winners;
  std::int64_t row, count;
};

// The lower and the upper halves of two vectors, a number of each in turn.
template <class Vector, int... i>
[[gnu::always_inline]] inline void interleave(const Vector& a, const Vector& b, Vector& low,
                                              Vector& high,
                                              std::integer_sequence<int, i...> /*lanes*/) {
  constexpr int kLanes = sizeof...(i), kHalf = kLanes / 2;
  low = __builtin_shufflevector(a, b, (i % 2 * kLanes + i / 2)...);
  high = __builtin_shufflevector(a, b, (i % 2 * kLanes + kHalf + i / 2)...);
}

// Rows of kLanes numbers, `stride` apart, become columns: in each turn the first half of the rows
// is shuffled into the second.
template <int kLanes, class T>
[[gnu::always_inline]] inline void transpose(const T* from, std::int64_t stride, T* to,
                                             std::int64_t to_stride) {
  static_assert(kLanes == 4 || kLanes == 16, "an even number of turns ends where it began");
  constexpr int kTurns = kLanes == 4 ? 2 : 4;
  using Vector [[gnu::vector_size(kLanes * sizeof(T))]] = T;
  Vector rows[2][std::size_t{kLanes}];
  for (std::int64_t i = 0; i < kLanes; ++i)
    std::memcpy(&rows[0][i], from + i * stride, sizeof(Vector));
#pragma GCC unroll 4
  for (int turn = 0; turn < kTurns; ++turn) {
    const Vector* in = rows[turn % 2];
    Vector* out = rows[1 - turn % 2];
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kLanes / 2; ++i) {
      interleave(in[i], in[i + kLanes / 2], out[2 * i], out[2 * i + 1],
                 std::make_integer_sequence<int, kLanes>());
    }
  }
  for (std::int64_t i = 0; i < kLanes; ++i)
    std::memcpy(to + i * to_stride, &rows[0][i], sizeof(Vector));
}

// Those of `count` rows: whole blocks by shuffles, what is left one by one. Floats go by
// kFloats x kFloats.
template <int kFloats>
[[gnu::always_inline]] inline void take_columns(const WinnerLists& w, std::int64_t row,
                                                std::int64_t count, std::int64_t group,
                                                WinnerColumns& to) {
  const std::int64_t groups = std::min(kWinnerBlock, w.groups - group);
  const std::int64_t in_blocks = groups == kWinnerBlock ? count / kWinnerBlock * kWinnerBlock : 0;
  const std::int64_t first = row * w.groups + group;
  for (std::int64_t i = 0; i < in_blocks; i += kWinnerBlock) {
    const std::int64_t from = first + i * w.groups;
    for (std::int64_t r = 0; r < kWinnerBlock; r += kFloats) {
      for (std::int64_t c = 0; c < kWinnerBlock; c += kFloats) {
        transpose<kFloats>(w.d + from + r * w.groups + c, w.groups, &to.d[c][i + r], kWinnerRows);
      }
    }
    transpose<kWinnerBlock>(w.winners + from, w.groups, &to.winners[0][i], kWinnerRows);
  }
  for (std::int64_t i = in_blocks; i < count; ++i) {
    for (std::int64_t j = 0; j < groups; ++j) {
      to.d[j][i] = w.d[first + i * w.groups + j];
      to.winners[j][i] = w.winners[first + i * w.groups + j];
    }
  }
}

// kListPiece(group, piece, row stride, end) writes the terms of the rows that a piece of a group
// won behind a list, and gives where that ends then. Rows ascend: the order of the terms is the
// order of the sums made from them, and so part of the result.
template <int kFloats, auto kListPiece>
[[gnu::always_inline]] inline void list_by_columns(const WinnerLists& w) {
  std::fill_n(w.counts, w.groups * w.pieces, 0);
  // 128 rows of 16 groups, about 10 KiB, are transposed at once and stay in the first cache.
  WinnerColumns columns;
  for (std::int64_t row = 0; row < w.rows; row += kWinnerRows) {
    const std::int64_t count = std::min(kWinnerRows, w.rows - row);
    for (std::int64_t group = 0; group < w.groups; ++group) {
      const std::int64_t j = group % kWinnerBlock;
      if (j == 0) take_columns<kFloats>(w, row, count, group, columns);
      const GroupRows rows{columns.d[j], columns.winners[j], row, count};
      for (std::int64_t piece = 0; piece < w.pieces; ++piece) {
        const std::int64_t output = group * w.pieces + piece;
        RowTerm* list = w.lists + output * w.list_stride;
        const RowTerm* end = kListPiece(rows, piece, w.row_stride, list + w.counts[output]);
        w.counts[output] = static_cast<std::int32_t>(end - list);
      }
    }
  }
}

}  // namespace weft::cpu
