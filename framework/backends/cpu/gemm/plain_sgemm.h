// GEMM as plain loops, for systems without OpenBLAS: a wheel of Python has to run where nothing
// else is installed.
#pragma once

#include <cstdint>

#include "registry/base/export.h"

namespace weft::cpu {

// As sgemm of blas.h. A row of the result depends on no other row.
WEFT_API void plain_sgemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n,
                          std::int64_t k, const float* a, std::int64_t lda, const float* b,
                          std::int64_t ldb, float beta, float* c, std::int64_t ldc);

}  // namespace weft::cpu
