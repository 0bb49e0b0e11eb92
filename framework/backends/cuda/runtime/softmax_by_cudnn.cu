// cuDNN is opened when the first softmax runs: it is large, and nothing else needs it.
#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "framework/backends/cuda/softmax_library.h"

#ifdef WEFT_HAS_CUDNN
#include <cudnn.h>
#include <dlfcn.h>
#endif

namespace weft::cuda {

#ifdef WEFT_HAS_CUDNN

class SoftmaxLibrary {
 public:
  SoftmaxLibrary() {
    // The library is opened by name when it is used: the backend runs without it, and `usable_`
    // says whether the own kernel has to do the work.
    library_ =
        dlopen(("libcudnn.so." + std::to_string(CUDNN_MAJOR)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    const bool found = find("cudnnCreate", create_) && find("cudnnSetStream", set_stream_) &&
                       find("cudnnCreateTensorDescriptor", create_descriptor_) &&
                       find("cudnnSetTensor4dDescriptor", set_descriptor_) &&
                       find("cudnnSoftmaxForward", forward_);
    usable_ = found && succeeded(create_(&handle_)) && succeeded(create_descriptor_(&rows_));
  }

  bool run(cudaStream_t queue, cudnnDataType_t type, ConstView x, View y) {
    const std::lock_guard lock(mutex_);
    const float one = 1.0F, zero = 0.0F;
    return usable_ && succeeded(set_stream_(handle_, queue)) &&
           succeeded(set_descriptor_(rows_, CUDNN_TENSOR_NCHW, type, static_cast<int>(x.rows()),
                                     static_cast<int>(x.cols()), 1, 1)) &&
           succeeded(forward_(handle_, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &one,
                              rows_, x.data, &zero, rows_, y.data));
  }

 private:
  static bool succeeded(cudnnStatus_t status) { return status == CUDNN_STATUS_SUCCESS; }
  template <class Fn>
  bool find(const char* name, Fn*& function) {
    function = reinterpret_cast<Fn*>(dlsym(library_, name));
    return function != nullptr;
  }

  void* library_ = nullptr;  // never closed
  bool usable_ = false;
  std::mutex mutex_;
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t rows_ = nullptr;
  decltype(cudnnCreate)* create_ = nullptr;
  decltype(cudnnSetStream)* set_stream_ = nullptr;
  decltype(cudnnCreateTensorDescriptor)* create_descriptor_ = nullptr;
  decltype(cudnnSetTensor4dDescriptor)* set_descriptor_ = nullptr;
  decltype(cudnnSoftmaxForward)* forward_ = nullptr;
};

bool softmax_by_library(DeviceStream& stream, ConstView x, View y) {
  if (x.size() == 0 || x.dtype != y.dtype || !x.is_contiguous() || !y.is_contiguous()) return false;
  const auto type = x.dtype == DType::f32   ? CUDNN_DATA_FLOAT
                    : x.dtype == DType::f16 ? CUDNN_DATA_HALF
                                            : CUDNN_DATA_BFLOAT16;
  const auto queue = static_cast<cudaStream_t>(stream.native());
  return static_cast<CudaStream&>(stream).softmax().run(queue, type, x, y);
}

#else

class SoftmaxLibrary {};

bool softmax_by_library(DeviceStream&, ConstView, View) {
  return false;
}

#endif

std::shared_ptr<SoftmaxLibrary> make_softmax_library() {
  return std::make_shared<SoftmaxLibrary>();
}

}  // namespace weft::cuda
