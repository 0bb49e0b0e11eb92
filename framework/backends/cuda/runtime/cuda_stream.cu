#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>

#include "framework/backends/cuda/launch_queue.h"
#include "framework/backends/cuda/memory_pieces.h"
#include "framework/backends/cuda/queue_watch.h"
#include "framework/backends/cuda/runtime/check.h"
#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

constexpr std::size_t kSmallestHalf = std::size_t{1} << 20;

// A thread that hands over launches stays awake for a while after each: of few it would take one
// that computes.
bool has_a_thread_to_spare() {
  constexpr unsigned kMany = 4;
  return std::thread::hardware_concurrency() >= kMany;
}

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
// All that the device has is, so that no thread takes some of it from another one's launch.
void allow_shared(const void* kernel, std::size_t bytes) {
  constexpr std::size_t kWithoutAsking = 48 * 1024;
  if (bytes <= kWithoutAsking) return;
  int device = 0, most = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  cudaFuncAttributes of{};
  check(cudaFuncGetAttributes(&of, kernel));
  most -= static_cast<int>(of.sharedSizeBytes);
  if (bytes > static_cast<std::size_t>(most)) {
    throw Error(ErrorKind::device, "a layer needs " + std::to_string(bytes) +
                                       " bytes of shared memory for a block, the GPU has " +
                                       std::to_string(most) +
                                       ": use fewer labels or a narrower layer, or the CPU");
  }
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
}

void check_launch() {
  check(cudaGetLastError());
}

// Copies may still read the pinned memory: it is freed only when they are done. Nothing throws
// here; a lost device is reported by the calls that need it.
StagingRing::~StagingRing() {
  try {
    stream_.synchronize();
  } catch (const Error&) {  // nothing runs any more
  }
  for (cudaEvent_t event : copied_) {
    if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
  }
}

void StagingRing::grow(std::size_t wanted) {
  stream_.synchronize();
  memory_.reset();
  half_bytes_ = std::max({kSmallestHalf, wanted, 2 * half_bytes_});
  memory_ = stream_.pinned(2 * half_bytes_);
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
  check(cudaEventRecord(copied_[half_], static_cast<cudaStream_t>(stream_.native())));
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
  char* place =
      static_cast<char*>(memory_.get()) + static_cast<std::size_t>(half_) * half_bytes_ + used_;
  used_ += wanted;
  std::memcpy(place, from, bytes);
  stream_.copy(to, place, bytes, CopyKind::host_to_device);
}

// Memory is taken and given back in the order of the stream, so that kernels which were launched
// before a release may still use it. Owners of memory share the queue and may outlive the stream's
// object.
struct CudaStream::Queue {
  Queue(int index, std::shared_ptr<Uploads> uploads) : device(index), uploads(std::move(uploads)) {
    use_device(index);
    require_pools(index);
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (has_a_thread_to_spare()) {
      launches = std::make_unique<LaunchQueue>([index] { use_device(index); });
    }
  }
  ~Queue() {
    launches.reset();
    free_pieces();
    static_cast<void>(cudaStreamDestroy(stream));
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void* take(std::size_t bytes) {
    const auto reused = pieces.take(bytes);
    const MemoryPieces::Piece piece = reused ? *reused : allocate(MemoryPieces::rounded(bytes));
    const std::lock_guard lock(mutex);
    given[piece.memory] = piece.bytes;
    return piece.memory;
  }
  void give_back(void* memory) {
    const std::lock_guard lock(mutex);
    const auto found = given.find(memory);
    uploads->drop(memory, found->second);
    pieces.give_back({memory, found->second});
    given.erase(found);
  }

  void wait_for_launches() const {
    if (launches) launches->wait();
  }

  int device;
  cudaStream_t stream = nullptr;
  std::unique_ptr<LaunchQueue> launches;  // null: work is handed over at once

 private:
  // Where there is no memory, the pieces that wait are too small: together they may do.
  MemoryPieces::Piece allocate(std::size_t bytes) {
    use_device(device);
    void* memory = nullptr;
    if (cudaMallocAsync(&memory, bytes, stream) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      free_pieces();
      // The pool has them once the stream has come so far, and joins none while it keeps them.
      cudaMemPool_t pool = nullptr;
      check(cudaStreamSynchronize(stream));
      check(cudaDeviceGetDefaultMemPool(&pool, device));
      check(cudaMemPoolTrimTo(pool, 0));
      check(cudaMallocAsync(&memory, bytes, stream));
    }
    count(Queued::allocation);
    return {memory, bytes};
  }
  // Also at the end of the process, when the runtime may be gone: its answer is of no use then.
  void free_pieces() {
    const auto all = pieces.take_all();
    wait_for_launches();  // those that use one of them were posted before it was given back
    for (const auto& [bytes, memory] : all) {
      static_cast<void>(cudaFreeAsync(memory, stream));
    }
  }

  std::shared_ptr<Uploads> uploads;
  MemoryPieces pieces;
  std::mutex mutex;
  std::unordered_map<void*, std::size_t> given;
};

CudaStream::CudaStream(int device)
    : DeviceStream(Device{DeviceKind::cuda, device}),
      queue_(std::make_shared<Queue>(device, uploads())) {
  keep_memory(device);
  staging_ = std::make_unique<StagingRing>(*this);
}

// The pool knows the peak of everything that was taken from it, scratch memory too.
CudaStream::~CudaStream() {
  staging_.reset();
  cudaMemPool_t pool = nullptr;
  std::uint64_t peak = 0;
  if (cudaDeviceGetDefaultMemPool(&pool, queue_->device) == cudaSuccess &&
      cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &peak) == cudaSuccess) {
    note_peak_memory(peak);
  }
}

void* CudaStream::queue() const {
  use_its_device();
  return queue_->stream;
}

void CudaStream::use_its_device() const {
  use_device(queue_->device);
}

void CudaStream::hand_over(std::function<void(void* queue)> work) {
  if (!queue_->launches) return work(queue());
  queue_->launches->post([work = std::move(work), stream = queue_->stream] { work(stream); });
}

bool CudaStream::is_handing_over() const {
  return queue_->launches && queue_->launches->is_at_work();
}

void CudaStream::rely() {
  if (queue_->launches) queue_->launches->rely();
}

void CudaStream::finish_posted() {
  if (queue_->launches) queue_->launches->finish();
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

std::shared_ptr<void> CudaStream::take_pinned(std::size_t bytes) {
  use_device(queue_->device);
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, std::max<std::size_t>(bytes, 1), cudaHostAllocDefault));
  return {memory, [queue = queue_](void* pointer) {
            queue->wait_for_launches();  // among which may be copies from it
            static_cast<void>(cudaFreeHost(pointer));
          }};
}

void CudaStream::stage(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) staging_->copy(to, from, bytes);
}

void CudaStream::zero(void* to, std::size_t bytes) {
  if (bytes == 0) return;
  post(
      [=](void* queue) { check(cudaMemsetAsync(to, 0, bytes, static_cast<cudaStream_t>(queue))); });
  tell_queued(*this, Queued::memset, "in setting memory to zero");
}

Stream::Mark CudaStream::mark() {
  const auto queue = static_cast<cudaStream_t>(native());
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event));
  const Mark mark(event, [](const void* of) {
    static_cast<void>(cudaEventDestroy(static_cast<cudaEvent_t>(const_cast<void*>(of))));
  });
  check(cudaEventRecord(event, queue));
  return mark;
}

double CudaStream::seconds_between(const Mark& begin, const Mark& end) {
  const auto event_of = [](const Mark& mark) {
    return static_cast<cudaEvent_t>(const_cast<void*>(mark.get()));
  };
  check(cudaEventSynchronize(event_of(end)));
  float milliseconds = 0.0F;
  check(cudaEventElapsedTime(&milliseconds, event_of(begin), event_of(end)));
  return 1e-3 * milliseconds;
}

void CudaStream::copy_now(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  const auto copy = [=](void* queue) {
    check(cudaMemcpyAsync(to, from, bytes, kind_of(kind), static_cast<cudaStream_t>(queue)));
  };
  // Memory of the host that is not page-locked may be read or written until the call returns only.
  const bool may_wait = kind == CopyKind::device_to_device ||
                        (kind == CopyKind::host_to_device && uploads()->knows(from, bytes));
  if (may_wait) {
    post(copy);
  } else {
    copy(native());
  }
  tell_queued(*this, Queued::copy, "in a copy");
}

void CudaStream::wait() {
  check(cudaStreamSynchronize(static_cast<cudaStream_t>(queue())));
  count(Queued::wait);
}

bool lies_on_device(const void* memory) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, memory));
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

GemmAlgorithms& CudaStream::gemms() {
  use_its_device();  // the library makes its handle for the thread's device
  const std::lock_guard lock(libraries_);
  if (!gemms_) gemms_ = make_gemm_algorithms();
  return *gemms_;
}

SoftmaxLibrary& CudaStream::softmax() {
  use_its_device();
  const std::lock_guard lock(libraries_);
  if (!softmax_) softmax_ = make_softmax_library();
  return *softmax_;
}

}  // namespace weft::cuda
