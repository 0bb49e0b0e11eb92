#include "framework/backends/cpu/gemm/product.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/backends/cpu/gemm/blas.h"
#include "framework/backends/cpu/gemm/narrow_product.h"
#include "framework/backends/cpu/gemm/tile_product.h"
#include "framework/backends/cpu/gemm/vector_product.h"
#include "framework/ops/product_description.h"

namespace weft::cpu {

namespace {

// Factors smaller than this leave most of a block empty.
constexpr std::int64_t kSmallest = 48;

void fill_rows(const Product& p) {
  for (std::int64_t i = 0; i < p.m; ++i) std::copy_n(p.bias, p.n, p.c + i * p.ldc);
}

bool has_own_way() {
  return has_tiles() || vector_unit() != nullptr;
}

void multiply_by_library(const Product& p) {
  if (p.bias != nullptr) fill_rows(p);
  const float beta = p.bias != nullptr ? 1.0F : p.beta;
  // Where OpenBLAS does not compute the others it is not opened to annotate a few texts.
  if (has_own_way() && !p.transpose_a && p.transpose_b && is_narrow(p.n, p.k)) {
    return narrow_multiply(p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, beta, p.c, p.ldc);
  }
  sgemm(p.transpose_a, p.transpose_b, p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, beta, p.c, p.ldc);
}

}  // namespace

ProductWay way_of_product(std::int64_t n, std::int64_t k) {
  if (std::min(n, k) < kSmallest || !has_own_way()) return ProductWay::library;
  return has_tiles() ? ProductWay::tiles : ProductWay::vectors;
}

void multiply(const Product& p) {
  if (p.m == 0 || p.n == 0) return;
  switch (way_of_product(p.n, p.transpose_a ? p.m : p.k)) {
    case ProductWay::tiles:
      return tile_multiply(p);
    case ProductWay::vectors:
      return vector_multiply(*vector_unit(), p);
    case ProductWay::library:
      return multiply_by_library(p);
  }
}

void scale_result(const Product& p) {
  if (p.beta == 1.0F) return;
  for (std::int64_t i = 0; i < p.m; ++i) {
    std::for_each_n(p.c + i * p.ldc, p.n, [&](float& number) { number *= p.beta; });
  }
}

}  // namespace weft::cpu

namespace weft {

std::string product_description() {
  std::string ways = cpu::has_tiles() ? "tiles of 3 x bf16 (AMX), " : "";
  if (ways.empty() && cpu::vector_unit() != nullptr) {
    ways = fmt::format("blocks of {}, ", cpu::vector_unit()->name);
  }
  return ways + cpu::blas_description();
}

}  // namespace weft
