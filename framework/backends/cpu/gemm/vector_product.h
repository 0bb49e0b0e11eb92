// Products of f32 matrices by the processor's vector unit.
#pragma once

#include "framework/backends/cpu/gemm/product.h"
#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {

WEFT_API void vector_multiply(const VectorUnit& unit, const Product& product);

}  // namespace weft::cpu
