// Products of f32 matrices on the processor's tile unit (Intel AMX), which multiplies bf16 alone:
// an f32 number is the exact sum of three bf16, and of the nine products of two such sums the six
// largest are added up in f32. What is left out is below 2^-21 of the product of two numbers and
// mostly far below, so that sums come out closer to the exact ones than by f32 arithmetic, at up to
// twice its speed.
// Henry, Tang and Heinecke (2019), "Leveraging the bfloat16 artificial intelligence datatype for
// higher-precision computations". Numbers below 1e-33 lose their last bits; an infinity in a or b
// makes its products NaN.
#pragma once

#include "framework/backends/cpu/gemm/product.h"

namespace weft::cpu {

// Whether the processor has the unit and the system lets this process use it. WEFT_AMX=0 in the
// environment says no, and so does a choice of OpenBLAS's kernels (OPENBLAS_CORETYPE).
WEFT_API bool has_tiles();

// Requires `has_tiles()`.
WEFT_API void tile_multiply(const Product& product);

}  // namespace weft::cpu
