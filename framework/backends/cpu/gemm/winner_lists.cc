#include "framework/backends/cpu/gemm/winner_lists.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "framework/backends/cpu/base/avx512_intrinsics.h"

namespace weft::cpu {

// Both functions of this file give the same lists, rows ascending: the order of the terms is the
// order of the sums made from them, and so part of the result.
void list_winners_in_order(const WinnerLists& w) {
  std::fill_n(w.counts, w.groups * w.pieces, 0);
  for (std::int64_t i = 0; i < w.rows; ++i) {
    const auto row = static_cast<std::int32_t>(i * w.row_stride);
    const float* d = w.d + i * w.groups;
    const std::uint8_t* winners = w.winners + i * w.groups;
    for (std::int64_t j = 0; j < w.groups; ++j) {
      const std::int64_t output = j * w.pieces + winners[j];
      w.lists[output * w.list_stride + w.counts[output]++] = row_term(d[j], row);
    }
  }
}

#ifdef WEFT_HAS_AVX512

namespace {

constexpr int kLanes = 16;
// Rows whose numbers of one group stand side by side, read in vectors some time later.
constexpr std::int64_t kRows = 128;

template <class T>
using Lanes [[gnu::vector_size(kLanes * sizeof(T))]] = T;

// Rows of so many numbers, `stride` apart, become columns: four times the first half of the rows
// is shuffled into the second.
template <class T>
WEFT_AVX512 inline void transpose(const T* from, std::int64_t stride, T* to,
                                  std::int64_t to_stride) {
  Lanes<T> rows[2][kLanes];
  for (std::int64_t i = 0; i < kLanes; ++i)
    std::memcpy(&rows[0][i], from + i * stride, sizeof rows[0][i]);
#pragma GCC unroll 4
  for (int turn = 0; turn < 4; ++turn) {
    const Lanes<T>* in = rows[turn % 2];
    Lanes<T>* out = rows[1 - turn % 2];
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kLanes / 2; ++i) {
      const Lanes<T> a = in[i], b = in[i + kLanes / 2];
      out[2 * i] =
          __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      out[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                               14, 30, 15, 31);
    }
  }
  for (std::int64_t i = 0; i < kLanes; ++i)
    std::memcpy(to + i * to_stride, &rows[0][i], sizeof rows[0][i]);
}

// Numbers of sixteen groups, and which piece they went to.
struct Columns {
  alignas(64) float d[kLanes][kRows];
  alignas(64) std::uint8_t winners[kLanes][kRows];
};

// Gradients lie row by row, while lists go through one group at a time; transposed blocks spare a
// read of one number per line of the cache.
// Those of `count` rows: whole blocks by shuffles, what is left one by one.
WEFT_AVX512 inline void take(const WinnerLists& w, std::int64_t row, std::int64_t count,
                             std::int64_t group, Columns& to) {
  const std::int64_t groups = std::min<std::int64_t>(kLanes, w.groups - group);
  const std::int64_t in_blocks = groups == kLanes ? count / kLanes * kLanes : 0;
  const std::int64_t first = row * w.groups + group;
  for (std::int64_t i = 0; i < in_blocks; i += kLanes) {
    transpose(w.d + first + i * w.groups, w.groups, &to.d[0][i], kRows);
    transpose(w.winners + first + i * w.groups, w.groups, &to.winners[0][i], kRows);
  }
  for (std::int64_t i = in_blocks; i < count; ++i) {
    for (std::int64_t j = 0; j < groups; ++j) {
      to.d[j][i] = w.d[first + i * w.groups + j];
      to.winners[j][i] = w.winners[first + i * w.groups + j];
    }
  }
}

// Winners are squeezed to the front of a vector, which is written whole: lists have room behind
// their last term (kTermsBehind), and the next call overwrites what is too much.
// Behind a list, those of eight rows that `won` names; where it ends then.
WEFT_AVX512 inline RowTerm* append(RowTerm* end, unsigned won, __m512i terms) {
  _mm512_storeu_si512(end, _mm512_maskz_compress_epi64(static_cast<__mmask8>(won), terms));
  return end + std::popcount(won);
}

// Of one group, `count` rows from `row` on.
struct GroupRows {
  const float* d;
  const std::uint8_t* winners;
  std::int64_t row, count;
};

// Behind a list, those that a piece won.
WEFT_AVX512 inline RowTerm* list_piece(const GroupRows& of, std::int64_t piece,
                                       std::int64_t row_stride, RowTerm* end) {
  const __m512i numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  // Pairs of a number of d and an offset.
  const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
  const __m512i stride = _mm512_set1_epi32(static_cast<int>(row_stride));
  const __m512i step = _mm512_mullo_epi32(stride, _mm512_set1_epi32(kLanes));
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(piece));
  __m512i offsets = _mm512_mullo_epi32(
      stride, _mm512_add_epi32(numbers, _mm512_set1_epi32(static_cast<int>(of.row))));
  for (std::int64_t i = 0; i < of.count; i += kLanes) {
    const std::int64_t left = std::min<std::int64_t>(kLanes, of.count - i);
    const auto there = static_cast<__mmask16>((1U << left) - 1U);
    const __m128i winners = _mm_load_si128(reinterpret_cast<const __m128i*>(of.winners + i));
    const unsigned won = _mm_mask_cmpeq_epi8_mask(there, winners, wanted);
    const __m512i d = _mm512_load_si512(of.d + i);
    end = append(end, won & 0xFFU, _mm512_permutex2var_epi32(d, low, offsets));
    end = append(end, won >> 8, _mm512_permutex2var_epi32(d, high, offsets));
    offsets = _mm512_add_epi32(offsets, step);
  }
  return end;
}

}  // namespace

WEFT_AVX512 void list_winners_of_sixteen(const WinnerLists& w) {
  std::fill_n(w.counts, w.groups * w.pieces, 0);
  // 128 rows of 16 groups, about 10 KiB, are transposed at once and stay in the first cache.
  Columns columns;
  for (std::int64_t row = 0; row < w.rows; row += kRows) {
    const std::int64_t count = std::min(kRows, w.rows - row);
    for (std::int64_t group = 0; group < w.groups; ++group) {
      const std::int64_t j = group % kLanes;
      if (j == 0) take(w, row, count, group, columns);
      for (std::int64_t piece = 0; piece < w.pieces; ++piece) {
        const std::int64_t output = group * w.pieces + piece;
        RowTerm* list = w.lists + output * w.list_stride;
        const RowTerm* end = list_piece({columns.d[j], columns.winners[j], row, count}, piece,
                                        w.row_stride, list + w.counts[output]);
        w.counts[output] = static_cast<std::int32_t>(end - list);
      }
    }
  }
}

#endif

}  // namespace weft::cpu
