// GEMM on the processor's tile unit (Intel AMX), which multiplies bf16 and sums in f32. An f32
// number is the exact sum of three bf16, and of the nine partial products of two such sums the six
// largest are added up in f32. The rest is below 2^-21 of the exact one and mostly far below, so
// that sums come out closer to the exact ones than by f32 arithmetic, at up to twice its speed.
// Henry, Tang and Heinecke (2019), "Leveraging the bfloat16 artificial intelligence datatype for
// higher-precision computations". Numbers below 1e-33 lose their last bits; an infinity in a or b
// makes its results NaN.
#pragma once

#include "framework/backends/cpu/gemm/factor.h"
#include "framework/backends/cpu/gemm/host_gemm.h"

namespace weft::cpu {

// Whether the processor has the unit and the system lets this process use it. WEFT_AMX=0 in the
// environment says no, and so does a choice of OpenBLAS's kernels (OPENBLAS_CORETYPE).
WEFT_API bool has_tiles();

// Whether factors of that format are packed in panels here: for tiles, or, those of bf16 alone, for
// dot products (dot_unit.h).
WEFT_API bool has_panels(NumberFormat format);

// c (a.lines, b.lines) = a b, of factors that `packs_directly` takes, in one and the same format:
// numbers of bf16 take one GEMM of tiles where those of fp16 and tf32 take four and those of f32
// six. `tasks`: threads that may take panels. Requires `has_panels(a.format)`.
WEFT_API void tile_multiply(const Factor& a, const Factor& b, const GemmSums& to,
                            const TaskRunner* tasks = nullptr);

}  // namespace weft::cpu
