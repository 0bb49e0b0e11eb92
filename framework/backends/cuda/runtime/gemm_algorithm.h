// An algorithm of cuBLASLt.
#pragma once

#include <cstddef>

#include "framework/backends/cuda/runtime/gemm_problem.h"

namespace weft::cuda {

struct GemmAlgorithm {
  cublasLtMatmulAlgo_t algorithm;
  std::size_t workspace = 0;  // bytes
  bool tf32 = false;          // it rounds f32 inputs

  // Queues the GEMM; `scratch` is the workspace. CUBLAS_STATUS_NOT_SUPPORTED or
  // CUBLAS_STATUS_INVALID_VALUE, and nothing is queued, where it does not take these matrices.
  cublasStatus_t run(cudaStream_t queue, cublasLtHandle_t handle, const GemmKey& key,
                     const GemmArgs& args, void* scratch) const;
};

}  // namespace weft::cuda
