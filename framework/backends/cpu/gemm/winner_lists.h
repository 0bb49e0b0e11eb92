// Lists of the rows that each piece won, for sums of chosen rows (vector_unit.h).
#pragma once

#include "framework/backends/cpu/base/avx512.h"
#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512
// By AVX2, four rows of a group at a time.
[[gnu::target("avx2")]] void list_winners_of_four(const WinnerLists& w);
// By AVX-512, sixteen.
WEFT_AVX512 void list_winners_of_sixteen(const WinnerLists& w);
#endif

}  // namespace weft::cpu
