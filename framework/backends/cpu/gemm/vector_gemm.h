// GEMMs of f32 matrices by the processor's vector unit.
#pragma once

#include "framework/backends/cpu/gemm/host_gemm.h"
#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {

WEFT_API void vector_multiply(const VectorUnit& unit, const GemmArgs& args);

}  // namespace weft::cpu
