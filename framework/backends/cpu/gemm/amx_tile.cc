#include "framework/backends/cpu/gemm/amx_tile.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "framework/backends/cpu/base/avx512.h"

#ifdef WEFT_HAS_AVX512
// GCC 12 takes the undefined vectors within its own intrinsics for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

namespace weft::cpu {
namespace {

// The first `count` of 16 lanes.
WEFT_AVX512_BF16 inline __mmask16 first(std::int64_t count) {
  return static_cast<__mmask16>((1U << std::clamp<std::int64_t>(count, 0, 16)) - 1);
}

// A mask that is known to be full lets compilers use plain loads; edges take the masked ones.
constexpr __mmask16 kAll = 0xFFFF;

// A run of numbers of that type in memory, of which those in `lanes` are read; zeros beside them.
template <DType kType>
WEFT_AVX512_BF16 inline __m512i bits_of(const std::byte* from, __mmask16 lanes) {
  if constexpr (kType == DType::f32) return _mm512_maskz_loadu_epi32(lanes, from);
  return _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(lanes, from));
}

template <DType kType>
WEFT_AVX512_BF16 inline __m512 numbers_of(const std::byte* from, __mmask16 lanes) {
  const __m512i bits = bits_of<kType>(from, lanes);
  if constexpr (kType == DType::f16) return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(bits));
  if constexpr (kType == DType::bf16) return _mm512_castsi512_ps(_mm512_slli_epi32(bits, 16));
  return _mm512_castsi512_ps(bits);
}

// Rounded to nearest even. Numbers that memory holds in that format are in it already.
template <NumberFormat kFormat>
WEFT_AVX512_BF16 inline __m512 rounded(__m512 x) {
  if constexpr (kFormat == NumberFormat::f16) {
    return _mm512_cvtph_ps(_mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  // tf32 keeps 10 bits of the 23 behind the point: half of the last one kept, less one, is added,
  // and the last one kept itself if it is odd, so that ties go to even. NaN is left alone, since
  // the addition could carry it over into infinity.
  if constexpr (kFormat == NumberFormat::tf32) {
    const __m512i bits = _mm512_castps_si512(x), one = _mm512_set1_epi32(1);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 13), one);
    const __m512i up = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0xFFF)));
    const __m512i kept = _mm512_and_si512(up, _mm512_set1_epi32(static_cast<int>(0xFFFFE000U)));
    return _mm512_mask_mov_ps(_mm512_castsi512_ps(kept), _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), x);
  }
  return x;
}

// The upper halves of the words of a vector of f32 are bf16, rounded towards zero. The rest is
// split again: three parts of eight bits hold all twenty-four. In upper halves alone.
template <int kPlanes>
struct Parts {
  __m512 plane[kPlanes];
};

template <int kPlanes>
WEFT_AVX512_BF16 inline Parts<kPlanes> split(__m512 x) {
  const __m512 upper = _mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(0xFFFF0000U)));
  Parts<kPlanes> parts;
  for (__m512& plane : parts.plane) {
    // The subtraction is exact: it only takes away leading bits of x. The plane keeps the lower
    // bits too, which are dropped where planes are stored as upper halves.
    plane = x;
    x = _mm512_sub_ps(x, _mm512_and_ps(x, upper));
  }
  return parts;
}

// The words of bf16 in lower halves of `low` and of `high`.
WEFT_AVX512_BF16 inline __m512i pair_up(__m512i low, __m512i high) {
  return _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
}

WEFT_AVX512_BF16 inline __m512i to_bf16(__m512 x) {
  return _mm512_cvtepu16_epi32(reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(x)));
}

// A row of words of each tile, from those numbers in memory that the masks name; `low` are the
// numbers of the first half of the step.
template <DType kType, NumberFormat kFormat>
WEFT_AVX512_BF16 inline void store_words(const std::byte* low, __mmask16 low_lanes,
                                         const std::byte* high, __mmask16 high_lanes,
                                         std::uint32_t* to, std::int64_t stride) {
  if constexpr (kType == DType::bf16) {
    _mm512_store_si512(to,
                       pair_up(bits_of<kType>(low, low_lanes), bits_of<kType>(high, high_lanes)));
    return;
  }
  // Both halves of the step are split alike, and each plane's words pair number i with number 16 +
  // i.
  const __m512 l = numbers_of<kType>(low, low_lanes), h = numbers_of<kType>(high, high_lanes);
  if constexpr (kFormat == NumberFormat::bf16) {
    _mm512_store_si512(to, pair_up(to_bf16(l), to_bf16(h)));
    return;
  }
  constexpr int kPlanes = planes_of(kFormat);
  const auto of_low = split<kPlanes>(rounded<kFormat>(l));
  const auto of_high = split<kPlanes>(rounded<kFormat>(h));
  constexpr __mmask32 kUpper = 0xAAAAAAAAU;
  for (int p = 0; p < kPlanes; ++p) {
    const __m512i lower = _mm512_srli_epi32(_mm512_castps_si512(of_low.plane[p]), 16);
    _mm512_store_si512(to + p * stride, _mm512_mask_blend_epi16(
                                            kUpper, lower, _mm512_castps_si512(of_high.plane[p])));
  }
}

// Rows that are missing are read from here, so that the loops that pack have no branch for them. As
// long as the longest read of a row, which is 32 numbers.
alignas(64) constexpr float kZeros[kTileDepth] = {};

// Where rows row, row + 1, ... of a factor lie in memory, from a column on that is a multiple of
// 16; zeros for those from `end` on.
void find_rows(const Factor& factor, std::int64_t row, std::int64_t end, std::int64_t column,
               std::span<const std::byte*> to) {
  const auto size = static_cast<std::int64_t>(size_of(factor.type));
  const auto* data = static_cast<const std::byte*>(factor.data);
  if (factor.seen == nullptr && row + std::ssize(to) <= end) {
    // Most tiles: all rows are there, one after the other.
    const std::byte* from = data + (column + row * factor.stride) * size;
    for (const std::byte*& place : to) place = std::exchange(from, from + factor.stride * size);
    return;
  }
  const std::int64_t part = factor.seen == nullptr ? 0 : column / factor.width;
  for (const std::byte*& from : to) {
    const std::int64_t place =
        factor.seen == nullptr || row >= end ? row : factor.seen[row * factor.parts + part];
    from = row < end && place >= 0
               ? data + (column - part * factor.width + place * factor.stride) * size
               : reinterpret_cast<const std::byte*>(kZeros);
    ++row;
  }
}

// A row of words for each line.
template <DType kType, NumberFormat kFormat>
WEFT_AVX512_BF16 void pack_lines(const Factor& factor, std::int64_t line, std::int64_t d,
                                 std::uint32_t* to, std::int64_t stride) {
  // The depth lies side by side in memory: each of the 16 lines gives one row of words.
  const std::byte* rows[kTileLines];
  find_rows(factor, line, factor.lines, d, rows);
  const __mmask16 low = first(factor.depth - d), high = first(factor.depth - d - 16);
  constexpr auto kHalf = static_cast<std::ptrdiff_t>(16 * size_of(kType));
  if (high == kAll) {
    for (const std::byte* from : rows) {
      store_words<kType, kFormat>(from, kAll, from + kHalf, kAll, to, stride);
      to += 16;
    }
  } else {
    for (const std::byte* from : rows) {
      store_words<kType, kFormat>(from, low, from + kHalf, high, to, stride);
      to += 16;
    }
  }
}

// A row of words for each pair of depths: the numbers of 16 lines.
template <DType kType, NumberFormat kFormat>
WEFT_AVX512_BF16 void pack_pairs(const Factor& factor, std::int64_t line, std::int64_t d,
                                 std::uint32_t* to, std::int64_t stride) {
  // The lines lie side by side in memory: two depths, 16 apart, give one row of words.
  const std::byte* rows[kTileDepth];
  find_rows(factor, d, factor.depth, line, rows);
  const __mmask16 lines = first(factor.lines - line);
  if (lines == kAll) {
    for (std::int64_t i = 0; i < kTileLines; ++i, to += 16) {
      store_words<kType, kFormat>(rows[i], kAll, rows[16 + i], kAll, to, stride);
    }
  } else {
    for (std::int64_t i = 0; i < kTileLines; ++i, to += 16) {
      store_words<kType, kFormat>(rows[i], lines, rows[16 + i], lines, to, stride);
    }
  }
}

template <DType kType, NumberFormat kFormat>
void pack_rows(const Factor& factor, std::int64_t line, std::int64_t d, std::uint32_t* to,
               std::int64_t stride) {
  if (factor.depth_contiguous) {
    pack_lines<kType, kFormat>(factor, line, d, to, stride);
  } else {
    pack_pairs<kType, kFormat>(factor, line, d, to, stride);
  }
}

using PackRows = void(const Factor&, std::int64_t, std::int64_t, std::uint32_t*, std::int64_t);

PackRows* packing_of(DType type, NumberFormat format) {
  if (type == DType::bf16) return pack_rows<DType::bf16, NumberFormat::bf16>;
  if (type == DType::f16) return pack_rows<DType::f16, NumberFormat::f16>;
  switch (format) {
    case NumberFormat::bf16:
      return pack_rows<DType::f32, NumberFormat::bf16>;
    case NumberFormat::f16:
      return pack_rows<DType::f32, NumberFormat::f16>;
    case NumberFormat::tf32:
      return pack_rows<DType::f32, NumberFormat::tf32>;
    case NumberFormat::f32:
      break;
  }
  return pack_rows<DType::f32, NumberFormat::f32>;
}

// Of four vectors r[0], r[step], ... the 4 x 4 blocks of words are transposed, lane by lane.
WEFT_AVX512_BF16 inline void transpose_blocks(__m512i* r) {
  const __m512i t0 = _mm512_unpacklo_epi32(r[0], r[1]), t1 = _mm512_unpackhi_epi32(r[0], r[1]);
  const __m512i t2 = _mm512_unpacklo_epi32(r[2], r[3]), t3 = _mm512_unpackhi_epi32(r[2], r[3]);
  r[0] = _mm512_unpacklo_epi64(t0, t2);
  r[1] = _mm512_unpackhi_epi64(t0, t2);
  r[2] = _mm512_unpacklo_epi64(t1, t3);
  r[3] = _mm512_unpackhi_epi64(t1, t3);
}

// Of four vectors the 4 x 4 blocks of lanes are transposed.
WEFT_AVX512_BF16 inline void transpose_lanes(__m512i a, __m512i b, __m512i c, __m512i d,
                                             __m512i* to) {
  const __m512i t0 = _mm512_shuffle_i32x4(a, b, 0x88), t1 = _mm512_shuffle_i32x4(a, b, 0xDD);
  const __m512i t2 = _mm512_shuffle_i32x4(c, d, 0x88), t3 = _mm512_shuffle_i32x4(c, d, 0xDD);
  to[0] = _mm512_shuffle_i32x4(t0, t2, 0x88);
  to[4] = _mm512_shuffle_i32x4(t1, t3, 0x88);
  to[8] = _mm512_shuffle_i32x4(t0, t2, 0xDD);
  to[12] = _mm512_shuffle_i32x4(t1, t3, 0xDD);
}

// A tile of 16 rows of 16 words, in place.
// A transposition of 16 x 16 in two turns of 4 x 4: first within the four lanes of 128 bits, then
// of the lanes as wholes. It takes 64 shuffles and nothing but registers.
WEFT_AVX512_BF16 void transpose_tile(std::uint32_t* words) {
  __m512i r[16], to[16];
  for (int i = 0; i < 16; ++i) r[i] = _mm512_load_si512(words + i * kTileLines);
  for (int i = 0; i < 16; i += 4) transpose_blocks(r + i);
  for (int i = 0; i < 4; ++i) transpose_lanes(r[i], r[4 + i], r[8 + i], r[12 + i], to + i);
  for (int i = 0; i < 16; ++i) _mm512_store_si512(words + i * kTileLines, to[i]);
}

}  // namespace

void pack_tile(const Factor& factor, std::int64_t line, std::int64_t d, TileRows rows,
               std::uint32_t* to, std::int64_t stride) {
  packing_of(factor.type, factor.format)(factor, line, d, to, stride);
  // The words were written the way the factor lies in memory; the other way is the transposed tile.
  // A word is a pair along the depth in both, so whole words move.
  if (factor.depth_contiguous == (rows == TileRows::lines)) return;
  for (int p = 0; p < planes_of(factor.format); ++p) transpose_tile(to + p * stride);
}

}  // namespace weft::cpu
#endif
