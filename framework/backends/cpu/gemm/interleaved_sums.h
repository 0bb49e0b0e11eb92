// Sums of pairs of rows of bf16, by the instruction of dot_unit.h: two rows are interleaved, so
// that a lane adds a number of each. For source files that are compiled for AVX512-BF16 alone (see
// avx512_intrinsics.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/backends/cpu/base/avx512_intrinsics.h"
#include "framework/backends/cpu/gemm/chosen_pairs.h"

#ifdef WEFT_HAS_AVX512
namespace weft::cpu {

// Interleaving two rows of 32 numbers gives pairs of columns 0-3, 8-11, 16-19, 24-27, and of those
// between them. Sums stay in that order while rows pass.
struct Order {
  __m512i to_low, to_high, to_first, to_second;
};

WEFT_AVX512_BF16 inline Order order() {
  return {_mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27),
          _mm512_setr_epi32(4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31),
          _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
          _mm512_setr_epi32(8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31)};
}

// The upper halves of the two factors, which are bf16, spread over all lanes.
WEFT_AVX512_BF16 [[gnu::always_inline]] inline __m512bh spread_pair(std::uint32_t first,
                                                                    std::uint32_t second) {
  const std::uint32_t factors = first >> 16 | (second & 0xFFFF0000U);
  return reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(factors)));
}

// kPairColumns numbers of two rows.
struct InterleavedRows {
  __m512bh low, high;
};
WEFT_AVX512_BF16 [[gnu::always_inline]] inline InterleavedRows interleaved(
    const std::uint16_t* row, const std::uint16_t* next) {
  __m512i u = _mm512_loadu_si512(row), v = _mm512_loadu_si512(next);
  // Compilers would load each twice, as part of both of its uses.
  __asm__("" : "+v"(u), "+v"(v));
  return {reinterpret_cast<__m512bh>(_mm512_unpacklo_epi16(u, v)),
          reinterpret_cast<__m512bh>(_mm512_unpackhi_epi16(u, v))};
}

// A row of sums, kPairColumns in each step, in the interleaved order.
template <int kSteps>
struct InterleavedSums {
  static constexpr std::int64_t kHalf = kPairColumns / 2;
  __m512 low[std::size_t{kSteps}], high[std::size_t{kSteps}];

  // From and to memory, where they lie in order. Fresh ones are zeros.
  WEFT_AVX512_BF16 [[gnu::always_inline]] void load(const float* from, const Order& o,
                                                    bool is_uninitialised) {
#pragma GCC unroll 16
    for (int i = 0; i < kSteps; ++i) {
      if (is_uninitialised) {
        low[i] = high[i] = _mm512_setzero_ps();
        continue;
      }
      const __m512 first = _mm512_loadu_ps(from + i * kPairColumns);
      const __m512 second = _mm512_loadu_ps(from + i * kPairColumns + kHalf);
      low[i] = _mm512_permutex2var_ps(first, o.to_low, second);
      high[i] = _mm512_permutex2var_ps(first, o.to_high, second);
    }
  }
  WEFT_AVX512_BF16 [[gnu::always_inline]] void store(float* to, const Order& o) const {
#pragma GCC unroll 16
    for (int i = 0; i < kSteps; ++i) {
      float* at = to + i * kPairColumns;
      _mm512_storeu_ps(at, _mm512_permutex2var_ps(low[i], o.to_first, high[i]));
      _mm512_storeu_ps(at + kHalf, _mm512_permutex2var_ps(low[i], o.to_second, high[i]));
    }
  }

  // Adds two rows, times a factor each.
  WEFT_AVX512_BF16 [[gnu::always_inline]] void add(__m512bh factors, const std::uint16_t* row,
                                                   const std::uint16_t* next) {
#pragma GCC unroll 16
    for (int i = 0; i < kSteps; ++i) {
      const InterleavedRows rows = interleaved(row + i * kPairColumns, next + i * kPairColumns);
      low[i] = _mm512_dpbf16_ps(low[i], factors, rows.low);
      high[i] = _mm512_dpbf16_ps(high[i], factors, rows.high);
    }
  }

  // Ahead of their use.
  static void fetch(const float* sums) {
    for (int line = 0; line < 2 * kSteps; ++line) __builtin_prefetch(sums + line * kHalf, 1);
  }
};

}  // namespace weft::cpu
#endif
