// The gradient of weights through maxout from rows of bf16, by the instruction of dot_unit.h: two
// of the rows that an output won at a time. Groups go one by one, unlike those of won_rows.h: the
// lists of rows that two outputs won would be too short.
#pragma once

#include "framework/backends/cpu/gemm/vector_unit.h"
#include "registry/base/export.h"

namespace weft::cpu {

// Takes the rows of each word two and two; one left over goes with a zero. Numbers of d are bf16,
// and so the upper halves of f32. Columns are a multiple of kPairColumns.
using WonPairs = WonSums<std::uint16_t>;

// Where the processor has AVX512-BF16.
WEFT_API void sum_won_pairs(const WonPairs& sums);

}  // namespace weft::cpu
