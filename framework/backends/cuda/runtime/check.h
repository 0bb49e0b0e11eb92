// Results of the CUDA runtime as errors.
#pragma once

#include <cuda_runtime_api.h>

namespace weft::cuda {

// Throws Error(device), Error(memory) where memory ran out, unless it is cudaSuccess.
void check(cudaError_t result);

}  // namespace weft::cuda
