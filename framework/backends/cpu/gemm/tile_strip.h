// Strips of matrices for the tile unit, and the products of two of them. A strip is 32 lines of a
// factor: for each step of 32 along the depth two tiles of each plane (see tile_panel.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/backends/cpu/gemm/packing.h"
#include "framework/backends/cpu/gemm/tile_panel.h"

namespace weft::cpu {

inline constexpr std::int64_t kStripLines = 2 * kTileLines;
inline constexpr std::int64_t kStepWords = 2 * kTileWords * kPlanes;

// Steps of a depth; strips of so many lines.
constexpr std::int64_t steps_of(std::int64_t depth) {
  return (depth + kTileDepth - 1) / kTileDepth;
}
constexpr std::int64_t strips_of(std::int64_t lines) {
  return (lines + kStripLines - 1) / kStripLines;
}

// The calling thread's tiles, while it lives. Where they are, `has_tiles()`.
class Tiles {
 public:
  Tiles();
  ~Tiles();
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
};

// The strip of lines [line, line + 32) for depths [d, d + depth).
void pack_strip(const Factor& factor, std::int64_t line, std::int64_t d, std::int64_t depth,
                TileRows rows, std::uint32_t* to);

// A right factor in strips.
Packing tile_packing(const Factor& weights);

// Where the sums of a block start from.
enum class Start : std::uint8_t { zero, bias, sums };

// A block of up to 32 x 32 of the result.
struct Block {
  float* c;
  std::int64_t stride, rows, columns;
  Start start;
  const float* bias = nullptr;  // of its columns

  Block(float* c, std::int64_t stride, std::int64_t rows, std::int64_t columns, Start start,
        const float* bias)
      : c(c),
        stride(stride),
        rows(std::min(kStripLines, rows)),
        columns(std::min(kStripLines, columns)),
        start(start),
        bias(bias) {}
};

// The product of two strips of so many steps. The calling thread has `Tiles`.
void multiply_strips(const std::uint32_t* left, const std::uint32_t* right, std::int64_t steps,
                     const Block& block);

}  // namespace weft::cpu
