// Loops over rows of f32 numbers that kernels share. Inline, so that each becomes part of the
// function that calls it and is compiled for its instruction set (see clones.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft {

inline void add_to(float* __restrict to, const float* __restrict from, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; ++i) to[i] += from[i];
}

inline void multiply_by(float* __restrict to, const float* __restrict factor,
                        std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; ++i) to[i] *= factor[i];
}

inline void multiply_rows(const float* __restrict a, const float* __restrict b,
                          std::ptrdiff_t count, float* __restrict to) {
  for (std::ptrdiff_t i = 0; i < count; ++i) to[i] = a[i] * b[i];
}

inline void scale_by(float* to, float factor, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; ++i) to[i] *= factor;
}

// Sums are taken in 16 lanes, whatever the instruction set: one order of additions everywhere.
inline constexpr std::ptrdiff_t kLanes = 16;

// By halves. Said in vectors, as compilers take the lanes apart one by one where a loop says it.
inline float add_lanes(const float* lanes) {
  using Eight [[gnu::vector_size(32)]] = float;
  using Four [[gnu::vector_size(16)]] = float;
  Eight eight[2];
  std::memcpy(eight, lanes, sizeof eight);
  const Eight halves = eight[0] + eight[1];
  Four four[2];
  std::memcpy(four, &halves, sizeof four);
  const Four sum = four[0] + four[1];
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

// Sum of term(i) for i in [0, count).
template <class Term>
inline float sum_of(std::ptrdiff_t count, Term term) {
  float lanes[kLanes] = {};
  std::ptrdiff_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::ptrdiff_t j = 0; j < kLanes; ++j) lanes[j] += term(i + j);
  }
  for (std::ptrdiff_t j = 0; i + j < count; ++j) lanes[j] += term(i + j);
  return add_lanes(lanes);
}

// Calls `run(four)` for four numbers at a time, which it changes in place; those behind the end of
// the row are zeros.
template <class Run>
[[gnu::always_inline]] inline void in_fours(float* x, std::ptrdiff_t count, Run run) {
  std::ptrdiff_t i = 0;
  for (; i + 4 <= count; i += 4) run(x + i);
  if (i == count) return;
  float rest[4] = {};
  std::copy(x + i, x + count, rest);
  run(rest);
  std::copy(rest, rest + (count - i), x + i);
}

// The loop of `max_of_pieces`. A question for each number whether winners are wanted would keep
// compilers from vector code, but for AVX-512, which can store a part of a vector.
template <bool kNotesWinners>
[[gnu::always_inline]] inline void take_largest(const float* __restrict sum, std::ptrdiff_t count,
                                                int pieces, float* __restrict out,
                                                std::uint8_t* __restrict winners) {
  for (std::ptrdiff_t o = 0; o < count; ++o) {
    float best = sum[o * pieces];
    int winner = 0;
    for (int p = 1; p < pieces; ++p) {
      const float value = sum[o * pieces + p];
      winner = value > best ? p : winner;
      best = value > best ? value : best;
    }
    out[o] = best;
    if constexpr (kNotesWinners) winners[o] = static_cast<std::uint8_t>(winner);
  }
}

// out[o] = the largest of pieces values at sum[o * pieces]; winners[o] (may be null) the first
// piece that has it.
[[gnu::always_inline]] inline void max_of_pieces(const float* __restrict sum, std::ptrdiff_t count,
                                                 int pieces, float* __restrict out,
                                                 std::uint8_t* __restrict winners) {
  if (winners != nullptr) {
    take_largest<true>(sum, count, pieces, out, winners);
  } else {
    take_largest<false>(sum, count, pieces, out, winners);
  }
}

}  // namespace weft
