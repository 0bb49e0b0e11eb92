#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "framework/backends/cuda/runtime/gemm_algorithm.h"

namespace weft::cuda {

cublasStatus_t GemmAlgorithm::run(DeviceStream& stream, cublasLtHandle_t handle, const GemmKey& key,
                                  GemmLayouts layouts, const GemmMatrices& matrices) const {
  const auto queue = static_cast<cudaStream_t>(stream.native());
  GemmDescription description(key, tf32);
  if (key.bias) description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, matrices.bias);
  const float one = 1.0F;
  const Scratch<char> scratch(stream, static_cast<std::int64_t>(workspace));
  return cublasLtMatmul(handle, &description.opaque, &one, matrices.b, &layouts.b.opaque,
                        matrices.a, &layouts.a.opaque, &matrices.beta, matrices.c,
                        &layouts.c.opaque, matrices.c, &layouts.c.opaque, &algorithm,
                        scratch.data(), workspace, queue);
}

}  // namespace weft::cuda
