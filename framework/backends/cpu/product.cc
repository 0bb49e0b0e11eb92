#include "framework/backends/cpu/product.h"

#include <algorithm>

#include "framework/backends/cpu/blas.h"
#include "framework/backends/cpu/narrow_product.h"
#include "framework/backends/cpu/tile_product.h"

namespace weft::cpu {

namespace {

// Factors smaller than this leave most of a tile empty. The number of rows in a batch does not
// count, so that a document's numbers do not depend on what stands beside it.
constexpr std::int64_t kSmallest = 48;

void fill_rows(const Product& p) {
  for (std::int64_t i = 0; i < p.m; ++i) std::copy_n(p.bias, p.n, p.c + i * p.ldc);
}

}  // namespace

bool suits_tiles(std::int64_t n, std::int64_t k) {
  return has_tiles() && std::min(n, k) >= kSmallest;
}

void multiply(const Product& p) {
  if (p.m == 0 || p.n == 0) return;
  if (suits_tiles(p.n, p.transpose_a ? p.m : p.k)) return tile_multiply(p);
  if (p.bias != nullptr) fill_rows(p);
  const float beta = p.bias != nullptr ? 1.0F : p.beta;
  // Where tiles compute the others, OpenBLAS is then not opened to annotate a few texts.
  if (has_tiles() && !p.transpose_a && p.transpose_b && is_narrow(p.n, p.k)) {
    return narrow_multiply(p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, beta, p.c, p.ldc);
  }
  sgemm(p.transpose_a, p.transpose_b, p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, beta, p.c, p.ldc);
}

std::string product_description() {
  return (has_tiles() ? "tiles of 3 x bf16 (AMX), " : "") + blas_description();
}

}  // namespace weft::cpu
