#include "framework/backends/cuda/runtime/gemm_algorithm.h"

namespace weft::cuda {

cublasStatus_t GemmAlgorithm::run(cudaStream_t queue, cublasLtHandle_t handle, const GemmKey& key,
                                  const GemmArgs& args, void* scratch) const {
  GemmLayouts layouts = layouts_of(args);
  GemmDescription description(key, tf32);
  if (key.bias) description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, args.bias.data);
  const float one = 1.0F;
  return cublasLtMatmul(handle, &description.opaque, &one, args.b.data, &layouts.b.opaque,
                        args.a.data, &layouts.a.opaque, &args.beta, args.c.data, &layouts.c.opaque,
                        args.c.data, &layouts.c.opaque, &algorithm, scratch, workspace, queue);
}

}  // namespace weft::cuda
