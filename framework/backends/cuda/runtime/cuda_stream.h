// A stream of the CUDA runtime.
#pragma once

#include <memory>
#include <mutex>

#include <cuda_runtime_api.h>

#include "framework/backends/cuda/device_stream.h"

namespace weft::cuda {

// Makes a device the one that the runtime's calls of this thread mean.
void use_device(int index);

class GemmAlgorithms;
class SoftmaxLibrary;

class CudaStream;

// Arrays of the host on their way to the device: pinned memory in two halves; one is filled while
// the other's copies run. Any thread.
class StagingRing {
 public:
  // Destroyed before the stream.
  explicit StagingRing(CudaStream& stream) : stream_(stream) {}
  ~StagingRing();
  StagingRing(const StagingRing&) = delete;
  StagingRing& operator=(const StagingRing&) = delete;
  void copy(void* to, const void* from, std::size_t bytes);

 private:
  void enter_half(std::size_t wanted);
  void grow(std::size_t wanted);

  CudaStream& stream_;
  std::mutex mutex_;
  std::size_t half_bytes_ = 0;
  std::shared_ptr<void> memory_;
  cudaEvent_t copied_[2] = {nullptr, nullptr};
  int half_ = 0;
  std::size_t used_ = 0;
};

class CudaStream final : public DeviceStream {
 public:
  explicit CudaStream(int device);
  ~CudaStream() override;

  void* scratch(std::size_t bytes) override;
  void release(void* scratch) override;
  void stage(void* to, const void* from, std::size_t bytes) override;
  void zero(void* to, std::size_t bytes) override;
  Mark mark() override;
  double seconds_between(const Mark& begin, const Mark& end) override;

  // For calls of libraries that ask for the device of this thread.
  void use_its_device() const;
  // State of the libraries for this stream; made on first use.
  GemmAlgorithms& gemms();
  SoftmaxLibrary& softmax();

 protected:
  std::shared_ptr<void> take(std::size_t bytes) override;
  void* queue() const override;
  void hand_over(std::function<void(void* queue)> work) override;
  bool is_handing_over() const override;
  void rely() override;
  void finish_posted() override;
  void copy_now(void* to, const void* from, std::size_t bytes, CopyKind kind) override;
  void wait() override;
  std::shared_ptr<void> take_pinned(std::size_t bytes) override;

 private:
  struct Queue;  // shared with the owners of memory

  std::shared_ptr<Queue> queue_;
  std::unique_ptr<StagingRing> staging_;
  std::mutex libraries_;
  std::shared_ptr<GemmAlgorithms> gemms_;
  std::shared_ptr<SoftmaxLibrary> softmax_;
};

// Of the libraries, for `CudaStream`.
std::shared_ptr<GemmAlgorithms> make_gemm_algorithms();
std::shared_ptr<SoftmaxLibrary> make_softmax_library();

}  // namespace weft::cuda
