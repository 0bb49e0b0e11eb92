#include "framework/backends/cpu/gemm/host_gemm.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "framework/backends/cpu/gemm/blas.h"
#include "framework/backends/cpu/gemm/dot_unit.h"
#include "framework/backends/cpu/gemm/narrow_gemm.h"
#include "framework/backends/cpu/gemm/tile_gemm.h"
#include "framework/backends/cpu/gemm/vector_gemm.h"
#include "framework/ops/gemm_description.h"

namespace weft::cpu {

namespace {

// Factors smaller than this leave most of a block empty.
constexpr std::int64_t kSmallest = 48;

// BLAS knows no bias: the rows of c start as the bias, and the GEMM is added to them.
void fill_rows(const GemmArgs& p) {
  for (std::int64_t i = 0; i < p.m; ++i) std::copy_n(p.bias, p.n, p.c + i * p.ldc);
}

bool has_own_way() {
  return has_tiles() || vector_unit() != nullptr;
}

void multiply_by_library(const GemmArgs& p) {
  if (p.bias != nullptr) fill_rows(p);
  const float beta = p.bias != nullptr ? 1.0F : p.beta;
  // Where OpenBLAS does not compute the others it is not opened to annotate a few texts.
  if (has_own_way() && !p.transpose_a && p.transpose_b && is_narrow(p.n, p.k)) {
    return narrow_multiply(p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, beta, p.c, p.ldc);
  }
  sgemm(p.transpose_a, p.transpose_b, p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, beta, p.c, p.ldc);
}

}  // namespace

GemmPath gemm_path(std::int64_t n, std::int64_t k, NumberFormat format) {
  if (std::min(n, k) < kSmallest || !has_own_way()) return GemmPath::library;
  return has_panels(format) ? GemmPath::tiles : GemmPath::vectors;
}

void multiply(const GemmArgs& p) {
  if (p.m == 0 || p.n == 0) return;
  // The depth of the gradient of weights (`a` transposed) is the number of rows of the batch, which
  // must not choose the kernel; m stands for it.
  switch (gemm_path(p.n, p.transpose_a ? p.m : p.k)) {
    case GemmPath::tiles:
      return tile_multiply({p.a, p.lda, !p.transpose_a, p.m, p.k},
                           {p.b, p.ldb, p.transpose_b, p.n, p.k}, sums_of(p), p.tasks);
    case GemmPath::vectors:
      return vector_multiply(*vector_unit(), p);
    case GemmPath::library:
      return multiply_by_library(p);
  }
}

GemmSums sums_of(const GemmArgs& p) {
  return {p.beta, p.c, p.ldc, p.bias};
}

void scale_result(const GemmSums& to, std::int64_t m, std::int64_t n) {
  if (to.beta == 1.0F) return;
  for (std::int64_t i = 0; i < m; ++i) {
    std::for_each_n(to.c + i * to.ldc, n, [&](float& number) { number *= to.beta; });
  }
}

}  // namespace weft::cpu

namespace weft {

std::string gemm_description() {
  std::string ways = cpu::has_tiles() ? "tiles of 3 x bf16 (AMX), " : "";
  if (ways.empty() && cpu::vector_unit() != nullptr) {
    const std::string_view dots = cpu::has_dots() ? "bf16 by AVX512-BF16, " : "";
    ways = fmt::format("blocks of {}, {}", cpu::vector_unit()->name, dots);
  }
  return ways + cpu::blas_description();
}

}  // namespace weft
