#include <algorithm>
#include <limits>
#include <string>

#include "framework/backends/cuda/queue_watch.h"
#include "framework/backends/cuda/runtime/check.h"
#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

constexpr std::size_t kSmallestHalf = std::size_t{1} << 20;

void require_pools(int device) {
  int supported = 0;
  check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
  if (supported != 0) return;
  throw Error(ErrorKind::device, "GPU " + std::to_string(device) +
                                     " has no memory pools: its driver is too old, or it is a " +
                                     "virtual GPU without them");
}

// Memory stays with the process between steps instead of going back to the driver.
void keep_memory(int device) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t kept = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
}

cudaMemcpyKind kind_of(CopyKind kind) {
  switch (kind) {
    case CopyKind::host_to_device:
      return cudaMemcpyHostToDevice;
    case CopyKind::device_to_host:
      return cudaMemcpyDeviceToHost;
    case CopyKind::device_to_device:
      break;
  }
  return cudaMemcpyDeviceToDevice;
}

}  // namespace

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // it is told here, and not once more by the next call
  const std::string text = cudaGetErrorString(result);
  if (result == cudaErrorMemoryAllocation) {
    throw Error(ErrorKind::memory, "out of GPU memory (" + text + "); use smaller batches");
  }
  throw Error(ErrorKind::device, "CUDA: " + text);
}

void use_device(int index) {
  check(cudaSetDevice(index));
}

// CUDA C++ Programming Guide, "Shared memory": more than 48 KiB for a block has to be asked for.
void allow_shared(const void* kernel, std::size_t bytes) {
  constexpr std::size_t kWithoutAsking = 48 * 1024;
  if (bytes <= kWithoutAsking) return;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)));
}

void check_launch() {
  check(cudaGetLastError());
}

// Copies may still read the pinned memory: it is freed only when they are done. Nothing throws
// here; a lost device is reported by the calls that need it.
StagingRing::~StagingRing() {
  static_cast<void>(cudaStreamSynchronize(stream_));
  for (cudaEvent_t event : copied_) {
    if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
  }
  static_cast<void>(cudaFreeHost(memory_));
}

void StagingRing::grow(std::size_t wanted) {
  check(cudaStreamSynchronize(stream_));
  static_cast<void>(cudaFreeHost(memory_));
  memory_ = nullptr;
  half_bytes_ = std::max({kSmallestHalf, wanted, 2 * half_bytes_});
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, 2 * half_bytes_, cudaHostAllocDefault));
  memory_ = static_cast<char*>(memory);
  for (cudaEvent_t& event : copied_) {
    if (event == nullptr) check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  half_ = 0;
  used_ = 0;
}

// Leaving a half marks the place in the stream behind its copies; entering it again waits for that
// mark. So a place is never overwritten while the device may still read it, and in the usual case,
// where the other half has long been copied, nothing waits.
void StagingRing::enter_half(std::size_t wanted) {
  if (wanted > half_bytes_) return grow(wanted);
  if (used_ + wanted <= half_bytes_) return;
  check(cudaEventRecord(copied_[half_], stream_));
  half_ = 1 - half_;
  used_ = 0;
  check(cudaEventSynchronize(copied_[half_]));  // at once where it was never recorded
  count(Queued::wait);
}

// The caller's memory is free again when this returns, although the copy runs later: the bytes were
// copied to pinned memory. Copies from pageable memory would make the host wait instead.
void StagingRing::copy(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kAlignment = 64;
  const std::size_t wanted = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const std::lock_guard lock(mutex_);
  enter_half(wanted);
  char* place = memory_ + half_ * half_bytes_ + used_;
  used_ += wanted;
  std::memcpy(place, from, bytes);
  check(cudaMemcpyAsync(to, place, bytes, cudaMemcpyHostToDevice, stream_));
  count(Queued::copy);
}

// Memory is taken and given back in the order of the stream, so that kernels which were launched
// before a release may still use it. Owners of memory share the queue and may outlive the stream's
// object.
struct CudaStream::Queue {
  explicit Queue(int index) : device(index) {
    use_device(index);
    require_pools(index);
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Queue() { static_cast<void>(cudaStreamDestroy(stream)); }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void* take(std::size_t bytes) {
    use_device(device);
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, std::max<std::size_t>(bytes, 1), stream));
    count(Queued::allocation);
    return memory;
  }
  // Also at the end of the process, when the runtime may be gone: its answer is of no use then.
  void give_back(void* memory) { static_cast<void>(cudaFreeAsync(memory, stream)); }

  int device;
  cudaStream_t stream = nullptr;
};

CudaStream::CudaStream(int device)
    : DeviceStream(Device{DeviceKind::cuda, device}), queue_(std::make_shared<Queue>(device)) {
  keep_memory(device);
  staging_ = std::make_unique<StagingRing>(queue_->stream);
}

// The pool knows the peak of everything that was taken from it, scratch memory too.
CudaStream::~CudaStream() {
  cudaMemPool_t pool = nullptr;
  std::uint64_t peak = 0;
  if (cudaDeviceGetDefaultMemPool(&pool, queue_->device) == cudaSuccess &&
      cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &peak) == cudaSuccess) {
    note_peak_memory(peak);
  }
}

cudaStream_t CudaStream::queue() const {
  use_device(queue_->device);
  return queue_->stream;
}

void* CudaStream::native() const {
  return queue();
}

void* CudaStream::scratch(std::size_t bytes) {
  return queue_->take(bytes);
}

void CudaStream::release(void* scratch) {
  queue_->give_back(scratch);
}

std::shared_ptr<void> CudaStream::take(std::size_t bytes) {
  return {queue_->take(bytes), [queue = queue_](void* memory) { queue->give_back(memory); }};
}

std::shared_ptr<void> CudaStream::pinned(std::size_t bytes) {
  use_device(queue_->device);
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, std::max<std::size_t>(bytes, 1), cudaHostAllocDefault));
  return {memory, [](void* pointer) { static_cast<void>(cudaFreeHost(pointer)); }};
}

void CudaStream::stage(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  use_device(queue_->device);
  staging_->copy(to, from, bytes);
}

void CudaStream::zero(void* to, std::size_t bytes) {
  if (bytes == 0) return;
  check(cudaMemsetAsync(to, 0, bytes, queue()));
  tell_queued(*this, Queued::memset, "in setting memory to zero");
}

void CudaStream::copy(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(to, from, bytes, kind_of(kind), queue()));
  tell_queued(*this, Queued::copy, "in a copy");
}

void CudaStream::synchronize() {
  check(cudaStreamSynchronize(queue()));
  count(Queued::wait);
}

bool lies_on_device(const void* memory) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, memory));
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

GemmAlgorithms& CudaStream::gemms() {
  const std::lock_guard lock(libraries_);
  if (!gemms_) gemms_ = make_gemm_algorithms();
  return *gemms_;
}

SoftmaxLibrary& CudaStream::softmax() {
  const std::lock_guard lock(libraries_);
  if (!softmax_) softmax_ = make_softmax_library();
  return *softmax_;
}

}  // namespace weft::cuda
