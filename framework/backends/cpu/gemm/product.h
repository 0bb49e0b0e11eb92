// Products of f32 matrices, by whichever of the machine's ways suits: its tile unit (see
// tile_product.h), its vector unit (vector_unit.h) or OpenBLAS.
#pragma once

#include <cstdint>
#include <string>

#include "registry/base/export.h"

namespace weft::cpu {

// c (m, n) = op(a) op(b) + beta c, with op(a) (m, k) and op(b) (k, n); row-major, leading
// dimensions in elements. With a bias, c = op(a) op(b) + bias (n) for each row, whatever c holds.
struct Product {
  bool transpose_a = false, transpose_b = false;
  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  std::int64_t lda = 0;
  const float* b = nullptr;
  std::int64_t ldb = 0;
  float beta = 0.0F;
  float* c = nullptr;
  std::int64_t ldc = 0;
  const float* bias = nullptr;
};

// On the calling thread. What a row of c holds does not depend on the rows beside it but where
// OpenBLAS is used. Throws Error(device) if OpenBLAS is needed and cannot be opened.
WEFT_API void multiply(const Product& product);

// For factors of these sizes; the number of rows in a batch does not count, so that a document's
// numbers do not depend on what stands beside it.
enum class ProductWay : std::uint8_t { tiles, vectors, library };
WEFT_API ProductWay way_of_product(std::int64_t n, std::int64_t k);

// c *= beta, what every way that adds to c begins with.
void scale_result(const Product& product);

}  // namespace weft::cpu
