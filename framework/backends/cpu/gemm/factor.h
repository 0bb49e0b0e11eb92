// One of the two factors of a GEMM, as it lies in memory.
#pragma once

#include <cstdint>

#include "framework/precision/format.h"
#include "framework/tensor/dtype.h"

namespace weft::cpu {

// `lines` rows of a or columns of b, of `depth` numbers each.
struct Factor {
  const void* data;
  std::int64_t stride;    // of the dimension that is not contiguous, in elements
  bool depth_contiguous;  // whether the numbers of a line lie side by side
  std::int64_t lines, depth;
  // Where its rows are not those of memory: row i is that of `parts` rows of memory side by side,
  // numbers seen[i * parts] ..., zeros where negative, each `width` long. For tiles the width is a
  // multiple of 32.
  const std::int32_t* seen = nullptr;
  std::int64_t parts = 1, width = 0;
  // Of its numbers in memory: f32; for tiles f16 and bf16 too, and for panels of the vector unit.
  DType type = DType::f32;
  // Tiles round them to this format as they are packed.
  NumberFormat format = NumberFormat::f32;

  // Of f32.
  const float* numbers() const { return static_cast<const float*>(data); }
};

}  // namespace weft::cpu
