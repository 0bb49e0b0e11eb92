// OpenBLAS, opened when the first GEMM needs it and always used single-threaded: a step is
// spread over threads by shards, not by GEMMs.
#pragma once

#include <cstdint>
#include <string>

#include "registry/base/export.h"

namespace weft::cpu {

// c (m, n) = op(a) op(b) + beta c; row-major, leading dimensions in elements. By plain loops where
// OpenBLAS is not installed; throws Error(device) for one that lacks a function.
WEFT_API void sgemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n,
                    std::int64_t k, const float* a, std::int64_t lda, const float* b,
                    std::int64_t ldb, float beta, float* c, std::int64_t ldc);

// "OpenBLAS 0.3.21 (SkylakeX)": library and the processor family its kernels are made for; or that
// there is none, and why.
WEFT_API std::string blas_description();

}  // namespace weft::cpu
