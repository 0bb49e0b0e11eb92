// A GEMM as cuBLASLt is told of it: by which properties an algorithm is chosen, and the library's
// descriptions of matrices.
//
// cuBLASLt documentation, "cublasLtMatmul": matrices are column-major there. A row-major matrix is
// the transpose of what it is told, so that c^T = op(b)^T op(a)^T is asked for.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include <cublasLt.h>

#include "framework/backends/cuda/device_gemm.h"

namespace weft::cuda {

// Throws Error(memory) where an allocation failed, Error(device) for every other failure.
void check_cublas(cublasStatus_t status);

// The properties by which an algorithm is chosen for a GEMM. The number of tokens is none: it is
// the rows of `a`, or the inner size where `a` is transposed, of which the next power of two
// counts.
struct GemmKey {
  DType inputs, result;
  bool transpose_a, transpose_b, adds, bias, tf32, batched;
  std::int64_t rows, columns, inner;
  std::array<std::int64_t, 3> alignment;
  auto operator<=>(const GemmKey&) const = default;

  // Of the matrices for which the algorithm is chosen.
  std::int64_t tokens() const { return transpose_a ? inner : rows; }
};

GemmKey key_of(const GemmArgs& args);

struct GemmLayout {
  cublasLtMatrixLayoutOpaque_t opaque;

  // Of a row-major matrix; `stride` is the distance of its rows.
  GemmLayout(DType type, std::int64_t rows, std::int64_t columns, std::int64_t stride);
  void repeat(std::int64_t batches, std::int64_t step);
};

struct GemmLayouts {
  GemmLayout a, b, c;
};

GemmLayouts layouts_of(const GemmArgs& args);
// Those of some GEMM of that key with so many tokens.
GemmLayouts layouts_of(const GemmKey& key, std::int64_t tokens);

struct GemmDescription {
  cublasLtMatmulDescOpaque_t opaque;

  // With `tf32`, f32 inputs may be rounded to it.
  GemmDescription(const GemmKey& key, bool tf32);
  template <class Value>
  void set(cublasLtMatmulDescAttributes_t attribute, const Value& value) {
    check_cublas(cublasLtMatmulDescSetAttribute(&opaque, attribute, &value, sizeof(value)));
  }
};

}  // namespace weft::cuda
