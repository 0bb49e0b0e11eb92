#include "framework/backends/cpu/gemm/turn_winners.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "framework/backends/cpu/base/avx512_intrinsics.h"

// Gradients lie row by row, and reading one number per line of the cache would take longer than
// their sums: blocks of sixteen rows and sixteen groups are turned round by shuffles.

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512

namespace {

// Rows, and groups, that are turned together.
constexpr std::int64_t kBlock = 16;

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

// From the block's row on. They lie in one word.
inline void add_bits(const TurnedWinners& w, std::int64_t output, std::int64_t row,
                     std::uint64_t bits) {
  w.won[output].words[w.word + row / kRowsOfWord] |= bits << row % kRowsOfWord;
}

// The rows of a block that each piece of one group won.
[[gnu::always_inline]] inline void set_bits(const TurnedWinners& w, const std::uint8_t* winners,
                                            std::int64_t group, std::int64_t row) {
  const __m128i won = _mm_loadu_si128(reinterpret_cast<const __m128i*>(winners));
  for (std::int64_t piece = 0; piece < w.pieces; ++piece) {
    const __m128i equal = _mm_cmpeq_epi8(won, _mm_set1_epi8(static_cast<char>(piece)));
    const auto bits = static_cast<unsigned>(_mm_movemask_epi8(equal));
    add_bits(w, group * w.pieces + piece, row, bits);
  }
}

// Floats go by kFloats x kFloats.
template <int kFloats>
[[gnu::always_inline]] inline void turn_block(const TurnedWinners& w, std::int64_t row,
                                              std::int64_t group) {
  const std::int64_t from = row * w.groups + group;
  for (std::int64_t r = 0; r < kBlock; r += kFloats) {
    for (std::int64_t c = 0; c < kBlock; c += kFloats) {
      transpose<kFloats>(w.d + from + r * w.groups + c, w.groups,
                         w.turned + (group + c) * w.turned_stride + row + r, w.turned_stride);
    }
  }
  std::uint8_t winners[kBlock * kBlock];
  transpose<kBlock>(w.winners + from, w.groups, winners, kBlock);
  for (std::int64_t j = 0; j < kBlock; ++j) set_bits(w, winners + j * kBlock, group + j, row);
}

// Fewer rows or groups than a block has.
void turn_one_by_one(const TurnedWinners& w, std::int64_t row, std::int64_t rows,
                     std::int64_t group, std::int64_t groups) {
  for (std::int64_t i = row; i < row + rows; ++i) {
    for (std::int64_t j = group; j < group + groups; ++j) {
      w.turned[j * w.turned_stride + i] = w.d[i * w.groups + j];
      add_bits(w, j * w.pieces + w.winners[i * w.groups + j], i, 1);
    }
  }
}

template <int kFloats>
[[gnu::always_inline]] inline void turn(const TurnedWinners& w) {
  for (std::int64_t row = 0; row < w.rows; row += kBlock) {
    const std::int64_t rows = std::min(kBlock, w.rows - row);
    for (std::int64_t group = 0; group < w.groups; group += kBlock) {
      const std::int64_t groups = std::min(kBlock, w.groups - group);
      if (rows == kBlock && groups == kBlock) {
        turn_block<kFloats>(w, row, group);
      } else {
        turn_one_by_one(w, row, rows, group, groups);
      }
    }
  }
}

}  // namespace

void turn_winners_short(const TurnedWinners& w) {
  turn<4>(w);
}

void turn_winners_long(const TurnedWinners& w) {
  turn<16>(w);
}

#endif

}  // namespace weft::cpu
