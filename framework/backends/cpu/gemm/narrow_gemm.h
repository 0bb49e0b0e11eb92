// GEMMs with few columns and a short inner side, such as the scores of a transition's classes:
// too narrow for tiles, and not worth opening a library for.
#pragma once

#include <cstdint>

#include "registry/base/export.h"

namespace weft::cpu {

// The sizes that `narrow_multiply` takes.
WEFT_API bool is_narrow(std::int64_t n, std::int64_t k);

// c (m, n) = a (m, k) b^T + beta c, with b (n, k) and is_narrow(n, k); row-major, leading
// dimensions in elements. Sums run over k in order, so a row of c does not depend on the rows
// beside it.
WEFT_API void narrow_multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                              std::int64_t lda, const float* b, std::int64_t ldb, float beta,
                              float* c, std::int64_t ldc);

}  // namespace weft::cpu
