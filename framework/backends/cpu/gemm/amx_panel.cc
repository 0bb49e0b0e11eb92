#include "framework/backends/cpu/gemm/amx_panel.h"

#include "framework/backends/cpu/gemm/amx.h"
#include "framework/backends/cpu/gemm/dot_unit.h"
#include "framework/backends/cpu/gemm/tile_gemm.h"

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

// The eight tile registers are shared out for a block of 32 x 32 results: 0 to 3 hold its sums as
// two rows of two tiles, 4 and 5 the two tiles of the left factor, 6 and 7 those of the right one.
// A stride of 0 reads the same 32 numbers for every row, which is how a bias is spread.
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

// All four tiles of sums take up one pair of planes. Every number of the left and of the right
// tiles is used twice for one load. Without kBoth the lower 16 rows lie outside of the result, so
// their two multiplications are left out.
template <bool kBoth>
WEFT_AMX inline void add_tiles() {
  _tile_dpbf16ps(0, 4, 6);
  _tile_dpbf16ps(1, 4, 7);
  if constexpr (kBoth) {
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
}

// Adds the GEMMs of a step's planes: of three planes the six largest, from the smallest on; else
// all. The order of the planes spares loads.
template <int kPlanes, bool kBoth>
WEFT_AMX inline void add_step(const std::uint32_t* left, const std::uint32_t* right) {
  if constexpr (kPlanes == 3) {
    load_left<kBoth>(left, 2);
    load_right(right, 0);
    add_tiles<kBoth>();
  }
  if constexpr (kPlanes > 1) {
    load_left<kBoth>(left, 1);
    if constexpr (kPlanes == 2) load_right(right, 0);
    add_tiles<kBoth>();
    load_right(right, 1);
    add_tiles<kBoth>();
  }
  load_left<kBoth>(left, 0);
  if constexpr (kPlanes > 1) add_tiles<kBoth>();
  if constexpr (kPlanes == 3) {
    load_right(right, 2);
    add_tiles<kBoth>();
  }
  load_right(right, 0);
  add_tiles<kBoth>();
}

// Adds the GEMM of two panels to the tiles of sums.
template <int kPlanes, bool kBoth>
WEFT_AMX inline void add_panels(const std::uint32_t* left, const std::uint32_t* right,
                                std::int64_t steps) {
  constexpr std::int64_t kWords = 2 * kTileWords * kPlanes;
  for (std::int64_t i = 0; i < steps; ++i, left += kWords, right += kWords) {
    add_step<kPlanes, kBoth>(left, right);
  }
}

// The number of planes is a constant in the loop: no branch stands between the multiplications.
template <bool kBoth>
WEFT_AMX inline void add_panels(NumberFormat format, const std::uint32_t* left,
                                const std::uint32_t* right, std::int64_t steps) {
  switch (planes_of(format)) {
    case 1:
      return add_panels<1, kBoth>(left, right, steps);
    case 2:
      return add_panels<2, kBoth>(left, right, steps);
    default:
      return add_panels<3, kBoth>(left, right, steps);
  }
}

void copy_rows(const float* from, std::int64_t from_stride, float* to, std::int64_t to_stride,
               const Block& block) {
  for (std::int64_t i = 0; i < block.rows; ++i) {
    std::copy_n(from + i * from_stride, block.columns, to + i * to_stride);
  }
}

// Only a whole block may be loaded and stored in c itself: tiles have a fixed shape, and a tile at
// the edge would touch numbers of other rows, perhaps while another thread writes them.
bool is_whole(const Block& block) {
  return block.rows == kPanelLines && block.columns == kPanelLines;
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
    copy_rows(from, stride, edge, kPanelLines, block);
    load_sums(edge, kPanelLines);
  }
}

// Each number of the result has its own sum, which takes up the steps of the depth in order: it
// does not depend on the other rows of the block. So `edge` may hold anything beyond the block, and
// a row has the same bytes whatever stands beside it.
WEFT_AMX void multiply_by_tiles(NumberFormat format, const std::uint32_t* left,
                                const std::uint32_t* right, std::int64_t steps,
                                const Block& block) {
  alignas(64) float edge[kPanelLines * kPanelLines];
  start_block(block, edge);
  if (block.rows > kTileLines) {
    add_panels<true>(format, left, right, steps);
  } else {
    add_panels<false>(format, left, right, steps);
  }
  if (is_whole(block)) return store_sums(block.c, block.stride);
  store_sums(edge, kPanelLines);
  copy_rows(edge, kPanelLines, block.c, block.stride, block);
}

}  // namespace

Tiles::Tiles() {
  if (has_tiles()) load_shape();
}

Tiles::~Tiles() {
  if (has_tiles()) release_tiles();
}

void pack_tile_panel(const Factor& factor, std::int64_t line, std::int64_t d, std::int64_t depth,
                     TileRows rows, std::uint32_t* to) {
  const std::int64_t words = step_words(factor.format);
  for (std::int64_t at = 0; at < depth; at += kTileDepth, to += words) {
    for (std::int64_t tile = 0; tile < 2; ++tile) {
      pack_tile(factor, line + tile * kTileLines, d + at, rows, to + tile * kTileWords,
                2 * kTileWords);
    }
  }
}

void multiply_panels(NumberFormat format, const std::uint32_t* left, const std::uint32_t* right,
                     std::int64_t steps, const Block& block) {
  // Without tiles the same packed words are multiplied by dot products, for which `has_panels`
  // admits numbers of bf16 alone: one plane.
  if (has_tiles()) return multiply_by_tiles(format, left, right, steps, block);
  multiply_panels_by_dots(left, right, steps, block);
}

Packing tile_packing(const Factor& weights) {
  const std::int64_t panel_words = steps_of(weights.depth) * step_words(weights.format);
  return {static_cast<std::size_t>(panels_of(weights.lines)),
          static_cast<std::size_t>(panel_words) * sizeof(std::uint32_t),
          [weights](std::int64_t i, void* to) {
            pack_tile_panel(weights, i * kPanelLines, 0, weights.depth, TileRows::pairs,
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
