// Packs matrices for the AMX tile unit: each element is split into as many bf16 as hold it exactly,
// in pairs along the dimension that is summed over. Of a step of 32 along it the first half is
// paired with the second.
#pragma once

#include <cstdint>

#include "framework/backends/cpu/gemm/factor.h"

namespace weft::cpu {

// A tile is 16 rows of 64 bytes: the elements of a step of 32 along the depth of a GEMM.
inline constexpr std::int64_t kTileLines = 16;
inline constexpr std::int64_t kTileDepth = 32;
inline constexpr std::int64_t kTileWords = kTileLines * 16;  // of 32 bits

// The bf16 of eight bits each that hold a number: 24 bits of f32, 11 of fp16 and tf32, 8 of bf16.
constexpr int planes_of(NumberFormat format) {
  if (format == NumberFormat::bf16) return 1;
  return format == NumberFormat::f32 ? 3 : 2;
}

// Whether numbers of that type in memory can be packed in that format without being copied before.
constexpr bool packs_directly(DType type, NumberFormat format) {
  if (type == DType::f16) return format == NumberFormat::f16;
  return type == DType::f32 || format == NumberFormat::bf16;
}

// How the words of a tile, each a pair of numbers, lie: a row for each line (the left factor) or a
// row for each pair (the right one).
enum class TileRows : std::uint8_t { lines, pairs };

// Rounds lines [line, line + 16) of depths [d, d + 32) to the factor's format, and writes the tile
// of each plane, that of the highest parts first, to to[0], to[stride] ...; zeros for what lies
// outside of the factor. Requires `packs_directly`.
void pack_tile(const Factor& factor, std::int64_t line, std::int64_t d, TileRows rows,
               std::uint32_t* to, std::int64_t stride);

}  // namespace weft::cpu
