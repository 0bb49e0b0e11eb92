// Panels of matrices for the AMX tile unit, and the GEMM of two of them. A panel is 32 lines of a
// factor: for each step of 32 along the depth two tiles of each plane (see amx_tile.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/backends/cpu/gemm/amx_tile.h"
#include "framework/backends/cpu/gemm/packing.h"

namespace weft::cpu {

inline constexpr std::int64_t kPanelLines = 2 * kTileLines;

// Words of a step of a panel.
constexpr std::int64_t step_words(NumberFormat format) {
  return 2 * kTileWords * planes_of(format);
}

// Steps of a depth; panels of so many lines.
constexpr std::int64_t steps_of(std::int64_t depth) {
  return (depth + kTileDepth - 1) / kTileDepth;
}
constexpr std::int64_t panels_of(std::int64_t lines) {
  return (lines + kPanelLines - 1) / kPanelLines;
}

// The calling thread's tiles, while it lives; nothing where there are none.
class Tiles {
 public:
  Tiles();
  ~Tiles();
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
};

// Packs the panel of lines [line, line + 32) for depths [d, d + depth).
void pack_tile_panel(const Factor& factor, std::int64_t line, std::int64_t d, std::int64_t depth,
                     TileRows rows, std::uint32_t* to);

// A right factor in panels.
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
        rows(std::min(kPanelLines, rows)),
        columns(std::min(kPanelLines, columns)),
        start(start),
        bias(bias) {}
};

// Multiplies two panels of so many steps, both packed in that format, for which there are panels
// (`has_panels`). The calling thread has `Tiles`.
void multiply_panels(NumberFormat format, const std::uint32_t* left, const std::uint32_t* right,
                     std::int64_t steps, const Block& block);

}  // namespace weft::cpu
