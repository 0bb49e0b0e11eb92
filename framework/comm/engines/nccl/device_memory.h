// Memory of a GPU through which the arrays of the host pass on their way to other ranks.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

inline void check_cuda(cudaError_t error) {
  if (error == cudaSuccess) return;
  throw Error(ErrorKind::device, fmt::format("CUDA: {}", cudaGetErrorString(error)));
}

// Kept from one operation to the next, and as large as the largest.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Nothing that uses it is under way.
  std::byte* hold(std::size_t bytes) {
    if (bytes > bytes_) {
      check_cuda(cudaFree(data_));
      data_ = nullptr;
      bytes_ = 0;
      check_cuda(cudaMalloc(&data_, bytes));
      bytes_ = bytes;
    }
    return static_cast<std::byte*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace weft
