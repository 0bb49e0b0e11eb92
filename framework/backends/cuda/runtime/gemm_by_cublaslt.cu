// cuBLASLt documentation, "cublasLtMatmul": matrices are column-major there. A row-major matrix is
// the transpose of what it is told, so that c^T = op(b)^T op(a)^T is asked for.
#include <array>
#include <bit>
#include <compare>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <cublasLt.h>

#include "framework/backends/cuda/device_gemm.h"
#include "framework/backends/cuda/runtime/check.h"
#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

void check_cublas(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) {  // the batch is halved, as for any other allocation
    throw Error(ErrorKind::memory, "out of GPU memory (cuBLASLt); use smaller batches");
  }
  throw Error(ErrorKind::device, "cuBLASLt: " + std::string(cublasLtGetStatusString(status)));
}

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

// The properties by which an algorithm is chosen for a GEMM. The number of tokens is none: it is
// the rows of `a`, which count as kRows here, or the inner size where `a` is transposed, of which
// the next power of two counts.
struct GemmKey {
  DType inputs, result;
  bool transpose_a, transpose_b, adds, bias, tf32, batched;
  std::int64_t rows, columns, inner;
  std::array<std::int64_t, 3> alignment;
  auto operator<=>(const GemmKey&) const = default;
};

constexpr std::int64_t kRows = 4096;

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

struct Layout {
  cublasLtMatrixLayoutOpaque_t opaque;

  // Of a row-major matrix.
  Layout(DType type, std::int64_t rows, std::int64_t columns, std::int64_t stride) {
    check_cublas(cublasLtMatrixLayoutInit(&opaque, type_of(type),
                                          static_cast<std::uint64_t>(columns),
                                          static_cast<std::uint64_t>(rows), stride));
  }
  void repeat(std::int64_t batches, std::int64_t step) {
    const auto count = static_cast<std::int32_t>(batches);
    check_cublas(cublasLtMatrixLayoutSetAttribute(&opaque, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                  &count, sizeof(count)));
    check_cublas(cublasLtMatrixLayoutSetAttribute(
        &opaque, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof(step)));
  }
};

struct Layouts {
  Layout a, b, c;
};

Layouts layouts_of(const GemmArgs& p) {
  const std::int64_t m = p.c.rows(), n = p.c.cols(), k = p.inner();
  Layouts layouts{{p.a.dtype, p.transpose_a ? k : m, p.transpose_a ? m : k, p.a.row_stride()},
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

// Rows without more gaps than the alignment asks for.
std::int64_t packed(DType type, std::int64_t columns, std::int64_t alignment) {
  const auto size = static_cast<std::int64_t>(size_of(type));
  const std::int64_t unit = 16 / size;
  return (columns + unit - 1) / unit * unit + (alignment == 16 ? 0 : alignment / size);
}

// The layouts that stand for all GEMMs of a key.
Layouts layouts_of(const GemmKey& key) {
  const std::int64_t m = key.rows, n = key.columns, k = key.inner;
  const std::int64_t of_a = key.transpose_a ? m : k, of_b = key.transpose_b ? k : n;
  Layouts layouts{
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

struct Description {
  cublasLtMatmulDescOpaque_t opaque;

  explicit Description(const GemmKey& key) {
    const auto compute = key.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    check_cublas(cublasLtMatmulDescInit(&opaque, compute, CUDA_R_32F));
    // The library's first matrix is our b.
    set(CUBLASLT_MATMUL_DESC_TRANSA, key.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, key.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
    if (key.bias) set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  }
  template <class Value>
  void set(cublasLtMatmulDescAttributes_t attribute, const Value& value) {
    check_cublas(cublasLtMatmulDescSetAttribute(&opaque, attribute, &value, sizeof(value)));
  }
};

struct GemmAlgorithm {
  cublasLtMatmulAlgo_t algorithm;
  std::size_t workspace = 0;
};

struct Preference {
  cublasLtMatmulPreferenceOpaque_t opaque;

  explicit Preference(const GemmKey& key) {
    check_cublas(cublasLtMatmulPreferenceInit(&opaque));
    const std::uint64_t workspace = std::uint64_t{32} << 20;
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace);
    // Without a reduction scheme no algorithm adds parts of one sum in an order that may change.
    const auto schemes = static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_NONE);
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes);
    // The library's A is our b and its B our a, since it sees transposed matrices.
    const auto bytes = [&](int i) { return static_cast<std::uint32_t>(key.alignment[i]); };
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, bytes(1));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, bytes(0));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, bytes(2));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, bytes(2));
  }
  template <class Value>
  void set(cublasLtMatmulPreferenceAttributes_t attribute, const Value& value) {
    check_cublas(cublasLtMatmulPreferenceSetAttribute(&opaque, attribute, &value, sizeof(value)));
  }
};

// Split-K adds partial sums, how many depends on the device's size; gemm.cu splits long sums
// itself.
bool splits_inner(const cublasLtMatmulAlgo_t& algorithm) {
  std::int32_t parts = 1;
  std::size_t written = 0;
  check_cublas(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                                                    &parts, sizeof(parts), &written));
  return parts > 1;
}

std::optional<GemmAlgorithm> find_algorithm(cublasLtHandle_t handle, const GemmKey& key) {
  Layouts layouts = layouts_of(key);
  Description description(key);
  Preference preference(key);
  std::array<cublasLtMatmulHeuristicResult_t, 8> found{};
  int count = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      handle, &description.opaque, &layouts.b.opaque, &layouts.a.opaque, &layouts.c.opaque,
      &layouts.c.opaque, &preference.opaque, static_cast<int>(found.size()), found.data(), &count);
  if (status != CUBLAS_STATUS_SUCCESS) count = 0;
  for (int i = 0; i < count; ++i) {
    if (found[i].state != CUBLAS_STATUS_SUCCESS || splits_inner(found[i].algo)) continue;
    return GemmAlgorithm{found[i].algo, found[i].workspaceSize};
  }
  return std::nullopt;
}

bool is_known(const GemmArgs& p) {
  return p.a.dtype == p.b.dtype && (p.c.dtype == p.a.dtype || p.c.dtype == DType::f32) &&
         (p.bias.size() == 0 || p.bias.dtype == p.c.dtype) && p.inner() > 0;
}

}  // namespace

class GemmAlgorithms {
 public:
  GemmAlgorithms() { check_cublas(cublasLtCreate(&handle_)); }
  ~GemmAlgorithms() { static_cast<void>(cublasLtDestroy(handle_)); }
  GemmAlgorithms(const GemmAlgorithms&) = delete;
  GemmAlgorithms& operator=(const GemmAlgorithms&) = delete;

  cublasLtHandle_t handle() const { return handle_; }
  // That there is no algorithm is remembered as well. References into the map stay valid as it
  // grows.
  const std::optional<GemmAlgorithm>& find(const GemmKey& key) {
    const std::lock_guard lock(mutex_);
    const auto known = algorithms_.find(key);
    if (known != algorithms_.end()) return known->second;
    return algorithms_.emplace(key, find_algorithm(handle_, key)).first->second;
  }

 private:
  cublasLtHandle_t handle_ = nullptr;
  std::mutex mutex_;
  std::map<GemmKey, std::optional<GemmAlgorithm>> algorithms_;
};

std::shared_ptr<GemmAlgorithms> make_gemm_algorithms() {
  return std::make_shared<GemmAlgorithms>();
}

bool gemm_by_library(DeviceStream& stream, const GemmArgs& args) {
  if (!is_known(args)) return false;
  const auto queue = static_cast<cudaStream_t>(stream.native());
  GemmAlgorithms& algorithms = static_cast<CudaStream&>(stream).gemms();
  const GemmKey key = key_of(args);
  const std::optional<GemmAlgorithm>& chosen = algorithms.find(key);
  if (!chosen) return false;
  Layouts layouts = layouts_of(args);
  Description description(key);
  if (key.bias) description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, args.bias.data);
  const float one = 1.0F;
  const Scratch<char> workspace(stream, static_cast<std::int64_t>(chosen->workspace));
  const cublasStatus_t status = cublasLtMatmul(
      algorithms.handle(), &description.opaque, &one, args.b.data, &layouts.b.opaque, args.a.data,
      &layouts.a.opaque, &args.beta, args.c.data, &layouts.c.opaque, args.c.data, &layouts.c.opaque,
      &chosen->algorithm, workspace.data(), chosen->workspace, queue);
  // The algorithm of all row counts does not take this one.
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE) return false;
  check_cublas(status);
  return true;
}

}  // namespace weft::cuda
