#include "framework/backends/cpu/tile_panel.h"

#include <algorithm>

#include "framework/backends/cpu/amx.h"

#ifdef WEFT_HAS_AMX
// GCC 12 takes the undefined vectors within its own intrinsics for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

namespace weft::cpu {
namespace {

// The upper halves of the words of a vector of f32 are bf16, rounded towards zero. What is left is
// split again: three parts of eight bits hold all twenty-four.
struct Parts {
  __m512i plane[kPlanes];
};

WEFT_AMX inline Parts split(__m512 x) {
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xFFFF0000U));
  Parts parts;
  for (__m512i& plane : parts.plane) {
    plane = _mm512_and_si512(_mm512_castps_si512(x), upper);
    x = _mm512_sub_ps(x, _mm512_castsi512_ps(plane));
  }
  return parts;
}

// The first `count` of 16 lanes.
WEFT_AMX inline __mmask16 first(std::int64_t count) {
  return static_cast<__mmask16>((1U << std::clamp<std::int64_t>(count, 0, 16)) - 1);
}

// A row of words for each line: its numbers d, d + 1, ... in their order.
WEFT_AMX void pack_lines(const Factor& factor, std::int64_t line, std::int64_t d, std::uint32_t* to,
                         std::int64_t stride) {
  const __mmask16 low = first(factor.depth - d), high = first(factor.depth - d - 16);
  // The odd half-words of two vectors, one behind the other.
  alignas(64) std::uint16_t odd[32];
  for (std::uint16_t i = 0; i < 32; ++i) odd[i] = static_cast<std::uint16_t>(2 * i + 1);
  const __m512i order = _mm512_load_si512(odd);
  const std::int64_t count = std::min(kTileLines, factor.lines - line);
  for (std::int64_t i = 0; i < kTileLines; ++i) {
    Parts left{}, right{};
    if (i < count) {
      const float* from = factor.at(line + i, d);
      left = split(_mm512_maskz_loadu_ps(low, from));
      right = split(_mm512_maskz_loadu_ps(high, from + 16));
    }
    for (int p = 0; p < kPlanes; ++p) {
      _mm512_store_si512(to + p * stride + 16 * i,
                         _mm512_permutex2var_epi16(left.plane[p], order, right.plane[p]));
    }
  }
}

// Numbers of 16 lines at one depth.
WEFT_AMX inline Parts depth_row(const Factor& factor, std::int64_t line, std::int64_t d,
                                __mmask16 lines) {
  if (d >= factor.depth) return {};
  return split(_mm512_maskz_loadu_ps(lines, factor.at(line, d)));
}

// A row of words for each pair of depths: the numbers of 16 lines.
WEFT_AMX void pack_pairs(const Factor& factor, std::int64_t line, std::int64_t d, std::uint32_t* to,
                         std::int64_t stride) {
  const __mmask16 lines = first(factor.lines - line);
  for (std::int64_t i = 0; i < kTileLines; ++i) {
    const Parts even = depth_row(factor, line, d + 2 * i, lines);
    const Parts odd = depth_row(factor, line, d + 2 * i + 1, lines);
    for (int p = 0; p < kPlanes; ++p) {
      _mm512_store_si512(to + p * stride + 16 * i,
                         _mm512_or_si512(_mm512_srli_epi32(even.plane[p], 16), odd.plane[p]));
    }
  }
}

// Of four vectors r[0], r[step], ... the 4 x 4 blocks of words are transposed, lane by lane.
WEFT_AMX inline void transpose_blocks(__m512i* r) {
  const __m512i t0 = _mm512_unpacklo_epi32(r[0], r[1]), t1 = _mm512_unpackhi_epi32(r[0], r[1]);
  const __m512i t2 = _mm512_unpacklo_epi32(r[2], r[3]), t3 = _mm512_unpackhi_epi32(r[2], r[3]);
  r[0] = _mm512_unpacklo_epi64(t0, t2);
  r[1] = _mm512_unpackhi_epi64(t0, t2);
  r[2] = _mm512_unpacklo_epi64(t1, t3);
  r[3] = _mm512_unpackhi_epi64(t1, t3);
}

// Of four vectors the 4 x 4 blocks of lanes are transposed.
WEFT_AMX inline void transpose_lanes(__m512i a, __m512i b, __m512i c, __m512i d, __m512i* to) {
  const __m512i t0 = _mm512_shuffle_i32x4(a, b, 0x88), t1 = _mm512_shuffle_i32x4(a, b, 0xDD);
  const __m512i t2 = _mm512_shuffle_i32x4(c, d, 0x88), t3 = _mm512_shuffle_i32x4(c, d, 0xDD);
  to[0] = _mm512_shuffle_i32x4(t0, t2, 0x88);
  to[4] = _mm512_shuffle_i32x4(t1, t3, 0x88);
  to[8] = _mm512_shuffle_i32x4(t0, t2, 0xDD);
  to[12] = _mm512_shuffle_i32x4(t1, t3, 0xDD);
}

// A tile of 16 rows of 16 words, in place.
WEFT_AMX void transpose_tile(std::uint32_t* words) {
  __m512i r[16], to[16];
  for (int i = 0; i < 16; ++i) r[i] = _mm512_load_si512(words + 16 * i);
  for (int i = 0; i < 16; i += 4) transpose_blocks(r + i);
  for (int i = 0; i < 4; ++i) transpose_lanes(r[i], r[4 + i], r[8 + i], r[12 + i], to + i);
  for (int i = 0; i < 16; ++i) _mm512_store_si512(words + 16 * i, to[i]);
}

}  // namespace

void pack_tile(const Factor& factor, std::int64_t line, std::int64_t d, TileRows rows,
               std::uint32_t* to, std::int64_t stride) {
  if (factor.depth_contiguous) {
    pack_lines(factor, line, d, to, stride);
  } else {
    pack_pairs(factor, line, d, to, stride);
  }
  if (factor.depth_contiguous == (rows == TileRows::lines)) return;
  for (int p = 0; p < kPlanes; ++p) transpose_tile(to + p * stride);
}

}  // namespace weft::cpu
#endif
