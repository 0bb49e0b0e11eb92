// Pairs of bf16 multiplied and added up in vector registers (the instruction VDPBF16PS of
// AVX512-BF16): each 32-bit lane of a sum takes up two numbers of each factor at once. A processor
// that starts as many of them in a cycle as multiplications of f32 multiplies bf16 twice as fast.
#pragma once

#include <cstdint>

#include "registry/base/export.h"

namespace weft::cpu {

struct Block;

// Whether the processor has the instruction, beside AVX-512 (F, VL, DQ, BW).
WEFT_API bool has_dot_instruction();

// Whether it is used: if the processor has it at full rate, which is AMD's from Zen 4 on. Intel's
// run it at half of that or less, and those of them that matter have tiles. WEFT_DOTS=0 in the
// environment says no, and so does a choice of OpenBLAS's kernels (OPENBLAS_CORETYPE).
WEFT_API bool has_dots();

// Multiplies two panels of bf16 of so many steps (see amx_panel.h) as tiles would. Sums start from
// the block's start, and take up the pairs of a step one after the other: numbers i and 16 + i of
// its 32, multiplied, added to the sum so far, and rounded as the instruction does.
// Subnormal numbers count as zeros. Where the processor has the instruction.
WEFT_API void multiply_panels_by_dots(const std::uint32_t* left, const std::uint32_t* right,
                                      std::int64_t steps, const Block& block);

}  // namespace weft::cpu
