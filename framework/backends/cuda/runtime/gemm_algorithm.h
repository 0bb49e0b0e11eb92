// An algorithm of cuBLASLt.
#pragma once

#include <cstddef>

#include "framework/backends/cuda/runtime/gemm_problem.h"

namespace weft::cuda {

// The memory of a GEMM on the device. `bias` is read where the key has one.
struct GemmMatrices {
  const void* a;
  const void* b;
  void* c;
  const void* bias;
  float beta;
};

struct GemmAlgorithm {
  cublasLtMatmulAlgo_t algorithm;
  std::size_t workspace = 0;
  bool tf32 = false;  // it rounds f32 inputs

  // Queues c = op(a) op(b) + beta c + bias. CUBLAS_STATUS_NOT_SUPPORTED or
  // CUBLAS_STATUS_INVALID_VALUE, and nothing is queued, where it does not take these layouts.
  cublasStatus_t run(DeviceStream& stream, cublasLtHandle_t handle, const GemmKey& key,
                     GemmLayouts layouts, const GemmMatrices& matrices) const;
};

}  // namespace weft::cuda
