// Winners, group by group, for the gradient of weights (vector_unit.h).
#pragma once

#include "framework/backends/cpu/base/avx512.h"
#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512
// By vectors of AVX2, and of AVX-512.
[[gnu::target("avx2")]] void turn_winners_short(const TurnedWinners& w);
WEFT_AVX512 void turn_winners_long(const TurnedWinners& w);
#endif

}  // namespace weft::cpu
