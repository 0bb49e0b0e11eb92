// Sums over chosen rows of a table of bf16, each with a factor, two rows at a time by the
// instruction of dot_unit.h: with half the loads and half the sums of chosen_rows.h.
#pragma once

#include <cstdint>

#include "framework/backends/cpu/gemm/vector_unit.h"
#include "registry/base/export.h"

namespace weft::cpu {

// Columns are a multiple of these: a vector of bf16.
inline constexpr std::int64_t kPairColumns = 32;

// Takes the terms of a list two and two in order; one left over goes with a zero. Factors are
// numbers of bf16, and so the upper halves of f32.
using PairSums = TermSums<std::uint16_t>;

// Where the processor has AVX512-BF16.
WEFT_API void sum_pairs(const PairSums& sums);

}  // namespace weft::cpu
