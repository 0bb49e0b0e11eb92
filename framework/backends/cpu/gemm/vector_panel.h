// Packs the right factor of a GEMM for the vector unit: panels of as many columns as a block
// of sums has. Of a panel the numbers of one depth follow those of the depth before.
#pragma once

#include <cstdint>

#include "framework/backends/cpu/gemm/factor.h"
#include "framework/backends/cpu/gemm/packing.h"
#include "framework/backends/cpu/gemm/vector_unit.h"
#include "registry/base/export.h"

namespace weft::cpu {

// The panel of columns [column, column + columns) for depths [d, d + depth), zeros beyond the
// factor's columns. Writes depth * columns numbers. Factors of 16 bits are widened; their rows are
// not made of parts (Factor::seen).
WEFT_API void pack_panel(const Factor& factor, std::int64_t column, std::int64_t columns,
                         std::int64_t d, std::int64_t depth, float* to);

// A right factor in panels of the unit's columns.
Packing vector_packing(const VectorUnit& unit, const Factor& weights);

}  // namespace weft::cpu
