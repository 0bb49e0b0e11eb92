// Products by the bf16 dot products of AVX512-BF16. They take subnormal inputs as zero and add up
// in an order of their own, so that only runs with `fast_cpu` use them. Source: Intel 64 and IA-32
// Architectures Software Developer's Manual, VDPBF16PS.
#pragma once

#include <cstdint>

#include "registry/export.h"

namespace weft::cpu {

// Whether the processor has the instruction.
WEFT_API bool has_bf16_products();

// c (m, n) = op(a) op(b) + beta c, as sgemm, of numbers that bf16 has; of others the lower half is
// dropped. Only where the processor has the instruction.
WEFT_API void bf16_product(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n,
                           std::int64_t k, const float* a, std::int64_t lda, const float* b,
                           std::int64_t ldb, float beta, float* c, std::int64_t ldc);

}  // namespace weft::cpu
