// Matrices as the tile unit wants them: each number split into three bf16, in pairs along the
// dimension that is summed over. Of a step of 32 along it the first half is paired with the second.
#pragma once

#include <cstdint>

#include "framework/backends/cpu/gemm/factor.h"

namespace weft::cpu {

// A tile is 16 rows of 64 bytes. The numbers of a step of 32 along the depth of a product.
inline constexpr std::int64_t kTileLines = 16;
inline constexpr std::int64_t kTileDepth = 32;
inline constexpr std::int64_t kTileWords = kTileLines * 16;  // of 32 bits
inline constexpr int kPlanes = 3;

// How the words of a tile, each a pair of numbers, lie: a row for each line (the left factor) or a
// row for each pair (the right one).
enum class TileRows : std::uint8_t { lines, pairs };

// Writes the three tiles (high, middle, low parts) of lines [line, line + 16) and depths
// [d, d + 32) to to[0], to[stride], to[2 * stride]; zeros for what lies outside of the factor.
void pack_tile(const Factor& factor, std::int64_t line, std::int64_t d, TileRows rows,
               std::uint32_t* to, std::int64_t stride);

}  // namespace weft::cpu
