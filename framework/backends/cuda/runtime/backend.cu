// The entry point of libweft_cuda.so: its devices.
#include <string>

#include <cuda_runtime_api.h>

#include "framework/backends/cuda/runtime/check.h"
#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "framework/backends/cuda/runtime/matrix_units.h"
#include "framework/tensor/device_backend.h"

namespace weft::cuda {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

class CudaBackend final : public DeviceBackend {
 public:
  CudaBackend() {
    const cudaError_t result = cudaGetDeviceCount(&count_);
    if (result == cudaSuccess && count_ > 0) return;
    static_cast<void>(cudaGetLastError());
    count_ = 0;
    why_none_ = reason(result);
  }
  int count() const override { return count_; }
  std::string why_none() const override { return why_none_; }

  DeviceProperties properties(int index) const override {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, index));
    DeviceProperties properties;
    properties.kind = DeviceProperties::Kind::cuda;
    properties.name = device.name;
    properties.major = device.major;
    properties.minor = device.minor;
    properties.has_fp16_matrix_units = has_fp16_matrix_units(index, device.major, device.minor);
    return properties;
  }
  std::size_t total_memory(int index) const override {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, index));
    return device.totalGlobalMem;
  }
  std::unique_ptr<Stream> make_stream(int index) override {
    return std::make_unique<CudaStream>(index);
  }

 private:
  static std::string reason(cudaError_t result) {
    if (result == cudaSuccess || result == cudaErrorNoDevice) return "no NVIDIA GPU was found";
    if (result != cudaErrorInsufficientDriver) return cudaGetErrorString(result);
    int driver = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    if (driver == 0) return "no NVIDIA driver is installed";
    return "the NVIDIA driver is too old: it supports CUDA " + version_text(driver) +
           ", this build needs " + version_text(CUDART_VERSION);
  }

  int count_ = 0;
  std::string why_none_;
};

}  // namespace
}  // namespace weft::cuda

extern "C" WEFT_API void weft_open_backend() {
  static weft::cuda::CudaBackend backend;
  weft::set_device_backend(weft::DeviceKind::cuda, &backend);
}
