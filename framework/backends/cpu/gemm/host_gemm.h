// GEMM of f32 matrices on the CPU, by the kernel that suits the sizes: the AMX tile unit (see
// tile_gemm.h), the vector unit (vector_unit.h) or OpenBLAS.
#pragma once

#include <cstdint>
#include <string>

#include "framework/precision/format.h"
#include "framework/tensor/task_runner.h"
#include "registry/base/export.h"

namespace weft::cpu {

// c (m, n) = op(a) op(b) + beta c, with op(a) (m, k) and op(b) (k, n); row-major, leading
// dimensions in elements. With a bias, c = op(a) op(b) + bias (n) for each row, whatever c holds.
struct GemmArgs {
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
  const TaskRunner* tasks = nullptr;  // threads that may take panels
};

// Where the sums of a GEMM go: to c, which is scaled before, or, with a bias, replaced by it.
struct GemmSums {
  float beta;
  float* c;
  std::int64_t ldc;
  const float* bias = nullptr;
};

// The threads for a GEMM of so many operations (m n k): none for a small one, which is over before
// another thread has begun.
inline const TaskRunner* tasks_for(std::int64_t operations, const TaskRunner* tasks) {
  return operations < std::int64_t{1} << 19 ? nullptr : tasks;
}

// On the calling thread, or on those of `tasks` but where OpenBLAS computes. A row of c does not
// depend on the rows beside it, except where OpenBLAS is used. Throws Error(device) if OpenBLAS is
// needed and cannot be opened.
WEFT_API void multiply(const GemmArgs& args);

// The kernel for factors of these sizes; the number of rows in a batch does not count, so that a
// document's numbers do not depend on what stands beside it. `format`: that of both factors'
// numbers. Tiles are what such panels are packed for; dot products may multiply them.
enum class GemmPath : std::uint8_t { tiles, vectors, library };
WEFT_API GemmPath gemm_path(std::int64_t n, std::int64_t k,
                            NumberFormat format = NumberFormat::f32);

WEFT_API GemmSums sums_of(const GemmArgs& args);
// c (m, n) *= beta: the first step of every kernel that adds to c.
void scale_result(const GemmSums& to, std::int64_t m, std::int64_t n);

}  // namespace weft::cpu
