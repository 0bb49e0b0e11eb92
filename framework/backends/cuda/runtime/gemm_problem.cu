#include <bit>
#include <string>

#include "framework/backends/cuda/runtime/gemm_problem.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

constexpr std::int64_t kRows = 4096;

cudaDataType_t type_of(DType type) {
  if (type == DType::f16) return CUDA_R_16F;
  return type == DType::bf16 ? CUDA_R_16BF : CUDA_R_32F;
}

// The largest power of two up to 16 that divides the address and the distance of rows and batches.
std::int64_t alignment_of(ConstView view, std::int64_t step) {
  const auto size = static_cast<std::int64_t>(size_of(view.dtype));
  const auto bits = reinterpret_cast<std::uintptr_t>(view.data) |
                    static_cast<std::uintptr_t>(view.row_stride() * size) |
                    static_cast<std::uintptr_t>(step * size) | 16U;
  return std::int64_t{1} << std::countr_zero(bits);
}

// Rows without more gaps than the alignment asks for.
std::int64_t packed(DType type, std::int64_t columns, std::int64_t alignment) {
  const auto size = static_cast<std::int64_t>(size_of(type));
  const std::int64_t unit = 16 / size;
  return (columns + unit - 1) / unit * unit + (alignment == 16 ? 0 : alignment / size);
}

}  // namespace

void check_cublas(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) {  // the batch is halved, as for any other allocation
    throw Error(ErrorKind::memory, "out of GPU memory (cuBLASLt); use smaller batches");
  }
  throw Error(ErrorKind::device, "cuBLASLt: " + std::string(cublasLtGetStatusString(status)));
}

// A document's numbers must not depend on the batch around it. So the algorithm is chosen as for
// one fixed number of rows, once for all batches.
GemmKey key_of(const GemmArgs& p) {
  const auto inner = static_cast<std::uint64_t>(p.inner());
  GemmKey key;
  key.inputs = p.a.dtype;
  key.result = p.c.dtype;
  key.transpose_a = p.transpose_a;
  key.transpose_b = p.transpose_b;
  key.adds = p.beta != 0.0F;
  key.bias = p.bias.size() > 0;
  key.tf32 = p.tf32 && p.a.dtype == DType::f32;
  key.batched = p.batches > 1;
  key.rows = p.transpose_a ? p.c.rows() : kRows;
  key.columns = p.c.cols();
  key.inner = p.transpose_a ? static_cast<std::int64_t>(std::bit_ceil(inner)) : p.inner();
  key.alignment = {alignment_of(p.a, p.a_step), alignment_of(p.b, p.b_step),
                   alignment_of(p.c, p.c_step)};
  return key;
}

GemmLayout::GemmLayout(DType type, std::int64_t rows, std::int64_t columns, std::int64_t stride) {
  check_cublas(cublasLtMatrixLayoutInit(&opaque, type_of(type), static_cast<std::uint64_t>(columns),
                                        static_cast<std::uint64_t>(rows), stride));
}

void GemmLayout::repeat(std::int64_t batches, std::int64_t step) {
  const auto count = static_cast<std::int32_t>(batches);
  check_cublas(cublasLtMatrixLayoutSetAttribute(&opaque, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                                sizeof(count)));
  check_cublas(cublasLtMatrixLayoutSetAttribute(
      &opaque, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof(step)));
}

GemmLayouts layouts_of(const GemmArgs& p) {
  const std::int64_t m = p.c.rows(), n = p.c.cols(), k = p.inner();
  GemmLayouts layouts{{p.a.dtype, p.transpose_a ? k : m, p.transpose_a ? m : k, p.a.row_stride()},
                      {p.b.dtype, p.transpose_b ? n : k, p.transpose_b ? k : n, p.b.row_stride()},
                      {p.c.dtype, m, n, p.c.row_stride()}};
  // Chunks of a long inner side: the same GEMM on parts that lie a step apart.
  if (p.batches > 1) {
    layouts.a.repeat(p.batches, p.a_step);
    layouts.b.repeat(p.batches, p.b_step);
    layouts.c.repeat(p.batches, p.c_step);
  }
  return layouts;
}

GemmLayouts layouts_of(const GemmKey& key, std::int64_t tokens) {
  const std::int64_t m = key.transpose_a ? key.rows : tokens, n = key.columns;
  const std::int64_t k = key.transpose_a ? tokens : key.inner;
  const std::int64_t of_a = key.transpose_a ? m : k, of_b = key.transpose_b ? k : n;
  GemmLayouts layouts{
      {key.inputs, key.transpose_a ? k : m, of_a, packed(key.inputs, of_a, key.alignment[0])},
      {key.inputs, key.transpose_b ? n : k, of_b, packed(key.inputs, of_b, key.alignment[1])},
      {key.result, m, n, packed(key.result, n, key.alignment[2])}};
  if (key.batched) {
    constexpr std::int64_t kBatches = 16;
    layouts.a.repeat(kBatches, m * k * 16);
    layouts.b.repeat(kBatches, n * k * 16);
    layouts.c.repeat(kBatches, m * n * 16);
  }
  return layouts;
}

GemmDescription::GemmDescription(const GemmKey& key, bool tf32) {
  const auto compute = tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  check_cublas(cublasLtMatmulDescInit(&opaque, compute, CUDA_R_32F));
  // The library's first matrix is our b.
  set(CUBLASLT_MATMUL_DESC_TRANSA, key.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_TRANSB, key.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  if (key.bias) set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
}

}  // namespace weft::cuda
