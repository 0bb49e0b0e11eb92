#include "framework/backends/cpu/gemm/tile_panel.h"

#include <algorithm>
#include <span>

#include "framework/backends/cpu/gemm/amx.h"

#ifdef WEFT_HAS_AMX
// GCC 12 takes the undefined vectors within its own intrinsics for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

namespace weft::cpu {
namespace {

// The upper halves of the words of a vector of f32 are bf16, rounded towards zero. What is left is
// split again: three parts of eight bits hold all twenty-four. In upper halves alone.
struct Parts {
  __m512 plane[kPlanes];
};

WEFT_AMX inline Parts split(__m512 x) {
  const __m512 upper = _mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(0xFFFF0000U)));
  Parts parts;
  for (__m512& plane : parts.plane) {
    plane = x;
    x = _mm512_sub_ps(x, _mm512_and_ps(x, upper));
  }
  return parts;
}

// The first `count` of 16 lanes.
WEFT_AMX inline __mmask16 first(std::int64_t count) {
  return static_cast<__mmask16>((1U << std::clamp<std::int64_t>(count, 0, 16)) - 1);
}

alignas(64) constexpr float kZeros[kTileDepth] = {};

// Where rows row, row + 1, ... of a factor lie in memory, from a column on that is a multiple of
// 16; zeros for those from `end` on.
void find_rows(const Factor& factor, std::int64_t row, std::int64_t end, std::int64_t column,
               std::span<const float*> to) {
  const std::int64_t part = factor.seen == nullptr ? 0 : column / factor.width;
  const float* data = factor.data + column - part * factor.width;
  for (const float*& from : to) {
    const std::int64_t place =
        factor.seen == nullptr || row >= end ? row : factor.seen[row * factor.parts + part];
    from = row < end && place >= 0 ? data + place * factor.stride : kZeros;
    ++row;
  }
}

// A row of words of each tile; `low` are the numbers of the first half of the step.
WEFT_AMX inline void store_words(__m512 low, __m512 high, std::uint32_t* to, std::int64_t stride) {
  const Parts of_low = split(low), of_high = split(high);
  constexpr __mmask32 kUpper = 0xAAAAAAAAU;
  for (int p = 0; p < kPlanes; ++p) {
    const __m512i lower = _mm512_srli_epi32(_mm512_castps_si512(of_low.plane[p]), 16);
    _mm512_store_si512(to + p * stride, _mm512_mask_blend_epi16(
                                            kUpper, lower, _mm512_castps_si512(of_high.plane[p])));
  }
}

constexpr __mmask16 kAll = 0xFFFF;

// A row of words for each line.
WEFT_AMX void pack_lines(const Factor& factor, std::int64_t line, std::int64_t d, std::uint32_t* to,
                         std::int64_t stride) {
  const float* rows[kTileLines];
  find_rows(factor, line, factor.lines, d, rows);
  const __mmask16 low = first(factor.depth - d), high = first(factor.depth - d - 16);
  if (high == kAll) {
    for (const float* from : rows) {
      store_words(_mm512_loadu_ps(from), _mm512_loadu_ps(from + 16), to, stride);
      to += 16;
    }
  } else {
    for (const float* from : rows) {
      store_words(_mm512_maskz_loadu_ps(low, from), _mm512_maskz_loadu_ps(high, from + 16), to,
                  stride);
      to += 16;
    }
  }
}

// A row of words for each pair of depths: the numbers of 16 lines.
WEFT_AMX void pack_pairs(const Factor& factor, std::int64_t line, std::int64_t d, std::uint32_t* to,
                         std::int64_t stride) {
  const float* rows[kTileDepth];
  find_rows(factor, d, factor.depth, line, rows);
  const __mmask16 lines = first(factor.lines - line);
  if (lines == kAll) {
    for (std::int64_t i = 0; i < kTileLines; ++i, to += 16) {
      store_words(_mm512_loadu_ps(rows[i]), _mm512_loadu_ps(rows[16 + i]), to, stride);
    }
  } else {
    for (std::int64_t i = 0; i < kTileLines; ++i, to += 16) {
      store_words(_mm512_maskz_loadu_ps(lines, rows[i]), _mm512_maskz_loadu_ps(lines, rows[16 + i]),
                  to, stride);
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
  for (int i = 0; i < 16; ++i) r[i] = _mm512_load_si512(words + i * kTileLines);
  for (int i = 0; i < 16; i += 4) transpose_blocks(r + i);
  for (int i = 0; i < 4; ++i) transpose_lanes(r[i], r[4 + i], r[8 + i], r[12 + i], to + i);
  for (int i = 0; i < 16; ++i) _mm512_store_si512(words + i * kTileLines, to[i]);
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
