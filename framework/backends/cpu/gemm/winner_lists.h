// Lists of the rows that each piece won, for sums of chosen rows (vector_unit.h).
#pragma once

#include "framework/backends/cpu/base/avx512.h"
#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {

// Row by row.
void list_winners_in_order(const WinnerLists& w);

#ifdef WEFT_HAS_AVX512
// Sixteen rows of a group at a time.
WEFT_AVX512 void list_winners_of_sixteen(const WinnerLists& w);
#endif

}  // namespace weft::cpu
