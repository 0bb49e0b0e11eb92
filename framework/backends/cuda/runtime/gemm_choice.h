// The algorithms of cuBLASLt for the GEMMs of a key.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

#include "framework/backends/cuda/runtime/gemm_algorithm.h"

namespace weft::cuda {

// The algorithms of one device, each found once. Any thread.
class GemmAlgorithms {
 public:
  GemmAlgorithms() { check_cublas(cublasLtCreate(&handle_)); }
  ~GemmAlgorithms() { static_cast<void>(cublasLtDestroy(handle_)); }
  GemmAlgorithms(const GemmAlgorithms&) = delete;
  GemmAlgorithms& operator=(const GemmAlgorithms&) = delete;

  cublasLtHandle_t handle() const { return handle_; }
  // None: the library has no algorithm. That is remembered as well. References stay valid.
  const std::optional<GemmAlgorithm>& find(const GemmKey& key);

 private:
  cublasLtHandle_t handle_ = nullptr;
  std::mutex mutex_;
  std::map<GemmKey, std::optional<GemmAlgorithm>> algorithms_;
};

}  // namespace weft::cuda
