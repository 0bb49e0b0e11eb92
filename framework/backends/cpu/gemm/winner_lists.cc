#include "framework/backends/cpu/gemm/winner_lists.h"

#include <array>
#include <bit>
#include <cstddef>

#include "framework/backends/cpu/base/avx512_intrinsics.h"
#include "framework/backends/cpu/gemm/winner_columns.h"

// Winners are squeezed to the front of a vector, which is written whole: lists have room behind
// their last term (kTermsBehind), and the next call overwrites what is too much.

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512

namespace {

// ---- AVX-512

constexpr int kLanes = 16;

// Behind a list, those of eight rows that `won` names; where it ends then.
WEFT_AVX512 inline RowTerm* append(RowTerm* end, unsigned won, __m512i terms) {
  _mm512_storeu_si512(end, _mm512_maskz_compress_epi64(static_cast<__mmask8>(won), terms));
  return end + std::popcount(won);
}

WEFT_AVX512 inline RowTerm* list_piece_of_sixteen(const GroupRows& of, std::int64_t piece,
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

// ---- AVX2

// Terms of a vector. Their halves are what its lanes hold: the number, and the offset.
constexpr int kTerms = 4;

// For each choice of four terms, which halves of them come to the front.
struct Squeeze {
  alignas(32) std::array<std::array<std::int32_t, std::size_t{2} * kTerms>, 1 << kTerms> halves{};

  constexpr Squeeze() {
    for (unsigned won = 0; won < halves.size(); ++won) {
      std::size_t to = 0;
      for (int term = 0; term < kTerms; ++term) {
        if ((won >> term & 1U) == 0) continue;
        halves[won][to++] = 2 * term;
        halves[won][to++] = 2 * term + 1;
      }
    }
  }
};
constexpr Squeeze kSqueeze;

// Behind a list, those of four rows that `won` names; where it ends then.
[[gnu::target("avx2")]] inline RowTerm* append(RowTerm* end, unsigned won, __m256i terms) {
  const auto* halves = reinterpret_cast<const __m256i*>(kSqueeze.halves[won].data());
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(end),
                      _mm256_permutevar8x32_epi32(terms, _mm256_load_si256(halves)));
  return end + std::popcount(won);
}

[[gnu::target("avx2")]] inline RowTerm* list_piece_of_four(const GroupRows& of, std::int64_t piece,
                                                           std::int64_t row_stride, RowTerm* end) {
  const __m128i stride = _mm_set1_epi32(static_cast<int>(row_stride));
  const __m128i step = _mm_slli_epi32(stride, 2);
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(piece));
  __m128i offsets = _mm_mullo_epi32(
      stride, _mm_add_epi32(_mm_set_epi32(3, 2, 1, 0), _mm_set1_epi32(static_cast<int>(of.row))));
  for (std::int64_t i = 0; i < of.count; i += kWinnerBlock) {
    const std::int64_t left = std::min(kWinnerBlock, of.count - i);
    const __m128i winners = _mm_load_si128(reinterpret_cast<const __m128i*>(of.winners + i));
    const auto equal = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(winners, wanted)));
    const unsigned won = equal & ((1U << left) - 1U);
    for (int k = 0; k < kWinnerBlock; k += kTerms) {
      const __m128i d = _mm_load_si128(reinterpret_cast<const __m128i*>(of.d + i + k));
      const __m256i terms =
          _mm256_set_m128i(_mm_unpackhi_epi32(d, offsets), _mm_unpacklo_epi32(d, offsets));
      end = append(end, won >> k & 0xFU, terms);
      offsets = _mm_add_epi32(offsets, step);
    }
  }
  return end;
}

}  // namespace

void list_winners_of_sixteen(const WinnerLists& w) {
  list_by_columns<kLanes, list_piece_of_sixteen>(w);
}

void list_winners_of_four(const WinnerLists& w) {
  list_by_columns<kTerms, list_piece_of_four>(w);
}

#endif

}  // namespace weft::cpu
