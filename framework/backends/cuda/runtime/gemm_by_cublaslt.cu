#include "framework/backends/cuda/device_gemm.h"
#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "framework/backends/cuda/runtime/gemm_choice.h"

namespace weft::cuda {
namespace {

bool is_known(const GemmArgs& p) {
  return p.a.dtype == p.b.dtype && (p.c.dtype == p.a.dtype || p.c.dtype == DType::f32) &&
         (p.bias.size() == 0 || p.bias.dtype == p.c.dtype) && p.inner() > 0;
}

}  // namespace

std::shared_ptr<GemmAlgorithms> make_gemm_algorithms() {
  return std::make_shared<GemmAlgorithms>();
}

bool gemm_by_library(DeviceStream& stream, const GemmArgs& args,
                     const std::function<void()>& otherwise) {
  if (!is_known(args)) return false;
  GemmAlgorithms& algorithms = static_cast<CudaStream&>(stream).gemms();
  const GemmKey key = key_of(args);
  const std::optional<GemmAlgorithm>& chosen = algorithms.find(key);
  if (!chosen) return false;
  const Scratch<char> scratch(stream, static_cast<std::int64_t>(chosen->workspace));
  stream.post([handle = algorithms.handle(), &chosen = *chosen, key, args, otherwise,
               scratch = scratch.data()](void* queue) {
    const cublasStatus_t status =
        chosen.run(static_cast<cudaStream_t>(queue), handle, key, args, scratch);
    // The algorithm of all row counts does not take this one.
    if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE) {
      return otherwise();
    }
    check_cublas(status);
  });
  return true;
}

}  // namespace weft::cuda
