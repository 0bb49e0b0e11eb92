#include "framework/backends/cpu/gemm/tile_strip.h"

#include "framework/backends/cpu/gemm/amx.h"

#ifdef WEFT_HAS_AMX
#include <immintrin.h>

namespace weft::cpu {

namespace {

// All eight tiles of 16 rows of 64 bytes. In memory of its own: compilers do not see that the
// instruction reads it.
struct alignas(64) TileShape {
  std::uint8_t palette = 1, start = 0, reserved[14] = {};
  std::uint16_t bytes_of_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileShape kTileShape;

WEFT_AMX void load_shape() {
  _tile_loadconfig(&kTileShape);
}

WEFT_AMX void release_tiles() {
  _tile_release();
}

WEFT_AMX inline void load_sums(const float* from, std::int64_t stride) {
  const auto bytes = static_cast<int>(stride * 4);
  _tile_loadd(0, from, bytes);
  _tile_loadd(1, from + kTileLines, bytes);
  _tile_loadd(2, from + kTileLines * stride, bytes);
  _tile_loadd(3, from + kTileLines * stride + kTileLines, bytes);
}

WEFT_AMX inline void store_sums(float* to, std::int64_t stride) {
  const auto bytes = static_cast<int>(stride * 4);
  _tile_stored(0, to, bytes);
  _tile_stored(1, to + kTileLines, bytes);
  _tile_stored(2, to + kTileLines * stride, bytes);
  _tile_stored(3, to + kTileLines * stride + kTileLines, bytes);
}

// Two tiles of a plane of the right factor; of the left one too, or the upper one alone.
WEFT_AMX inline void load_right(const std::uint32_t* step, std::int64_t plane) {
  _tile_loadd(6, step + 2 * plane * kTileWords, 64);
  _tile_loadd(7, step + (2 * plane + 1) * kTileWords, 64);
}

template <bool kBoth>
WEFT_AMX inline void load_left(const std::uint32_t* step, std::int64_t plane) {
  _tile_loadd(4, step + 2 * plane * kTileWords, 64);
  if constexpr (kBoth) _tile_loadd(5, step + (2 * plane + 1) * kTileWords, 64);
}

template <bool kBoth>
WEFT_AMX inline void add_products() {
  _tile_dpbf16ps(0, 4, 6);
  _tile_dpbf16ps(1, 4, 7);
  if constexpr (kBoth) {
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
}

// Adds the products of two strips to the sums. The order of the planes spares loads.
template <bool kBoth>
WEFT_AMX inline void add_strips(const std::uint32_t* left, const std::uint32_t* right,
                                std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i, left += kStepWords, right += kStepWords) {
    load_left<kBoth>(left, 2);
    load_right(right, 0);
    add_products<kBoth>();
    load_left<kBoth>(left, 1);
    add_products<kBoth>();
    load_right(right, 1);
    add_products<kBoth>();
    load_left<kBoth>(left, 0);
    add_products<kBoth>();
    load_right(right, 2);
    add_products<kBoth>();
    load_right(right, 0);
    add_products<kBoth>();
  }
}

void copy_rows(const float* from, std::int64_t from_stride, float* to, std::int64_t to_stride,
               const Block& block) {
  for (std::int64_t i = 0; i < block.rows; ++i) {
    std::copy_n(from + i * from_stride, block.columns, to + i * to_stride);
  }
}

bool is_whole(const Block& block) {
  return block.rows == kStripLines && block.columns == kStripLines;
}

// At the edge of c what reaches beyond goes through an array of its own.
WEFT_AMX inline void start_block(const Block& block, float* edge) {
  const float* from = block.start == Start::bias ? block.bias : block.c;
  const std::int64_t stride = block.start == Start::bias ? 0 : block.stride;
  if (block.start == Start::zero) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  } else if (is_whole(block)) {
    load_sums(from, stride);
  } else {
    copy_rows(from, stride, edge, kStripLines, block);
    load_sums(edge, kStripLines);
  }
}

}  // namespace

Tiles::Tiles() {
  load_shape();
}

Tiles::~Tiles() {
  release_tiles();
}

void pack_strip(const Factor& factor, std::int64_t line, std::int64_t d, std::int64_t depth,
                TileRows rows, std::uint32_t* to) {
  for (std::int64_t at = 0; at < depth; at += kTileDepth, to += kStepWords) {
    for (std::int64_t tile = 0; tile < 2; ++tile) {
      pack_tile(factor, line + tile * kTileLines, d + at, rows, to + tile * kTileWords,
                2 * kTileWords);
    }
  }
}

WEFT_AMX void multiply_strips(const std::uint32_t* left, const std::uint32_t* right,
                              std::int64_t steps, const Block& block) {
  alignas(64) float edge[kStripLines * kStripLines];
  start_block(block, edge);
  if (block.rows > kTileLines) {
    add_strips<true>(left, right, steps);
  } else {
    add_strips<false>(left, right, steps);
  }
  if (is_whole(block)) return store_sums(block.c, block.stride);
  store_sums(edge, kStripLines);
  copy_rows(edge, kStripLines, block.c, block.stride, block);
}

Packing tile_packing(const Factor& weights) {
  const std::int64_t strip = steps_of(weights.depth) * kStepWords;
  return {static_cast<std::size_t>(strips_of(weights.lines)),
          static_cast<std::size_t>(strip) * sizeof(std::uint32_t),
          [weights](std::int64_t i, void* to) {
            pack_strip(weights, i * kStripLines, 0, weights.depth, TileRows::pairs,
                       static_cast<std::uint32_t*>(to));
          }};
}

}  // namespace weft::cpu

#else

namespace weft::cpu {

Packing tile_packing(const Factor&) {
  return {};
}

}  // namespace weft::cpu

#endif
