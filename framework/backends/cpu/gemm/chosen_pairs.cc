#include "framework/backends/cpu/gemm/chosen_pairs.h"

#include "framework/backends/cpu/base/avx512_intrinsics.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512
namespace {

constexpr int kMostSteps = static_cast<int>(kMostSumColumns / kPairColumns);
// Lists ahead of which sums are fetched.
constexpr std::int64_t kListsAhead = 2;
// Numbers of a line of the cache.
constexpr std::int64_t kOfLine = 16;

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

template <int kSteps>
struct Sums {
  __m512 low[kSteps], high[kSteps];
};

// A term holds the factor in its lower 32 bits and the offset of its row in the upper ones. The two
// factors' upper halves, which are bf16, make one word that is spread over all lanes: a lane then
// adds two terms at once.
template <int kSteps>
WEFT_AVX512_BF16 [[gnu::always_inline]] inline void add_pair(RowTerm first, RowTerm second,
                                                             const std::uint16_t* table,
                                                             Sums<kSteps>& sums) {
  const auto factors =
      static_cast<std::uint32_t>(first) >> 16 | (static_cast<std::uint32_t>(second) & 0xFFFF0000U);
  const auto a = reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(factors)));
  const std::uint16_t *row = table + (first >> 32), *next = table + (second >> 32);
#pragma GCC unroll 16
  for (int i = 0; i < kSteps; ++i) {
    __m512i u = _mm512_loadu_si512(row + i * kPairColumns);
    __m512i v = _mm512_loadu_si512(next + i * kPairColumns);
    // Compilers would load each twice, as part of both of its uses.
    __asm__("" : "+v"(u), "+v"(v));
    const auto low = reinterpret_cast<__m512bh>(_mm512_unpacklo_epi16(u, v));
    const auto high = reinterpret_cast<__m512bh>(_mm512_unpackhi_epi16(u, v));
    sums.low[i] = _mm512_dpbf16_ps(sums.low[i], a, low);
    sums.high[i] = _mm512_dpbf16_ps(sums.high[i], a, high);
  }
}

// The row of sums is put in the interleaved order once, takes up all terms of its list in
// registers, and is put back once.
template <int kSteps>
WEFT_AVX512_BF16 [[gnu::always_inline]] inline void sum_list(const PairSums& s, std::int64_t list,
                                                             std::int64_t count, const Order& o,
                                                             float* to) {
  Sums<kSteps> sums;
#pragma GCC unroll 16
  for (int i = 0; i < kSteps; ++i) {
    if (s.is_uninitialised) {
      sums.low[i] = sums.high[i] = _mm512_setzero_ps();
    } else {
      const __m512 first = _mm512_loadu_ps(to + i * kPairColumns);
      const __m512 second = _mm512_loadu_ps(to + i * kPairColumns + kOfLine);
      sums.low[i] = _mm512_permutex2var_ps(first, o.to_low, second);
      sums.high[i] = _mm512_permutex2var_ps(first, o.to_high, second);
    }
  }
  const RowTerm* terms = s.terms + list * s.list_stride;
  std::int64_t k = 0;
  for (; k + 2 <= count; k += 2) add_pair<kSteps>(terms[k], terms[k + 1], s.table, sums);
  // The odd term is paired with itself, times zero: no row beyond the list is read.
  if (k < count) add_pair<kSteps>(terms[k], terms[k] & ~RowTerm{0xFFFFFFFFU}, s.table, sums);
#pragma GCC unroll 16
  for (int i = 0; i < kSteps; ++i) {
    float* at = to + i * kPairColumns;
    _mm512_storeu_ps(at, _mm512_permutex2var_ps(sums.low[i], o.to_first, sums.high[i]));
    _mm512_storeu_ps(at + kOfLine, _mm512_permutex2var_ps(sums.low[i], o.to_second, sums.high[i]));
  }
}

template <int kSteps>
WEFT_AVX512_BF16 void sum_lists(const PairSums& s) {
  const Order o = order();
  float* to = s.sums;
  for (std::int64_t i = 0; i < s.lists; ++i, to += s.sums_stride) {
    for (int line = 0; line < 2 * kSteps && i + kListsAhead < s.lists; ++line) {
      __builtin_prefetch(to + kListsAhead * s.sums_stride + line * kOfLine, 1);
    }
    sum_list<kSteps>(s, i, s.counts == nullptr ? s.count : s.counts[i], o, to);
  }
}

// The number of columns is a constant in the loops.
template <int kSteps = kMostSteps>
void sum_columns(const PairSums& s) {
  if (s.columns == kSteps * kPairColumns) return sum_lists<kSteps>(s);
  if constexpr (kSteps > 1) sum_columns<kSteps - 1>(s);
}

}  // namespace

void sum_pairs(const PairSums& s) {
  sum_columns(s);
}

#else

void sum_pairs(const PairSums&) {}

#endif

}  // namespace weft::cpu
