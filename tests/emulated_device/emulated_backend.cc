// One device that is not there: the kernels of the CUDA backend, run by the host (see block.h).
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "framework/backends/cuda/device_stream.h"
#include "framework/backends/cuda/memory_pieces.h"
#include "framework/backends/cuda/queue_watch.h"
#include "framework/tensor/device_backend.h"
#include "registry/base/error.h"
#include "tests/emulated_device/device_memory.h"

namespace weft::cuda {
namespace {

std::atomic<bool> is_held = false;

// Pieces are taken anew each time, so that the bytes behind an array are looked at. Counted are the
// allocations that a GPU would have been asked for.
class EmulatedMemory {
 public:
  explicit EmulatedMemory(std::shared_ptr<Uploads> uploads) : uploads_(std::move(uploads)) {}

  void* take(std::size_t bytes) {
    const auto reused = pieces_.take(bytes);
    if (!reused) count(Queued::allocation);
    void* memory = DeviceMemory::instance().take(bytes);
    const std::lock_guard lock(mutex_);
    given_[memory] = {bytes, reused ? reused->bytes : MemoryPieces::rounded(bytes)};
    return memory;
  }
  void give_back(void* memory) {
    {
      const std::lock_guard lock(mutex_);
      const auto [bytes, piece] = given_.at(memory);
      given_.erase(memory);
      uploads_->drop(memory, bytes);
      pieces_.give_back({nullptr, piece});
    }
    DeviceMemory::instance().give_back(memory);
  }

 private:
  struct Given {
    std::size_t bytes, piece;
  };
  std::shared_ptr<Uploads> uploads_;
  MemoryPieces pieces_;
  std::mutex mutex_;
  std::map<void*, Given> given_;
};

class EmulatedStream final : public DeviceStream {
 public:
  EmulatedStream() : DeviceStream(Device{DeviceKind::cuda, 0}) {}
  ~EmulatedStream() override { note_peak_memory(DeviceMemory::instance().peak()); }

  void* scratch(std::size_t bytes) override { return memory_->take(bytes); }
  void release(void* scratch) override { memory_->give_back(scratch); }
  void stage(void* to, const void* from, std::size_t bytes) override {
    if (bytes > Uploads::kMostBytes) return copy_now(to, from, bytes, CopyKind::host_to_device);
    auto copy = std::make_shared<char[]>(bytes);
    std::memcpy(copy.get(), from, bytes);
    uploads()->add_kept(*this, to, std::move(copy), bytes);
  }
  void zero(void* to, std::size_t bytes) override {
    if (bytes == 0) return;
    {
      const DeviceAccess access(*this);
      std::memset(to, 0, bytes);
    }
    tell_queued(*this, Queued::memset, "in setting memory to zero");
  }

 protected:
  void* queue() const override { return nullptr; }
  void copy_now(void* to, const void* from, std::size_t bytes, CopyKind) override {
    {
      const DeviceAccess access(*this);
      std::memcpy(to, from, bytes);
    }
    tell_queued(*this, Queued::copy, "in a copy");
  }
  void wait() override {
    count(Queued::wait);
    while (is_held) std::this_thread::yield();
    if (std::getenv("WEFT_EMULATED_FAULT") == nullptr) return;  // for tests
    throw Error(ErrorKind::device, "a fault of the emulated device");
  }
  std::shared_ptr<void> take_pinned(std::size_t bytes) override { return Stream::pinned(bytes); }
  std::shared_ptr<void> take(std::size_t bytes) override {
    return {memory_->take(bytes), [held = memory_](void* memory) { held->give_back(memory); }};
  }

 private:
  std::shared_ptr<EmulatedMemory> memory_ = std::make_shared<EmulatedMemory>(uploads());
};

class EmulatedBackend final : public DeviceBackend {
 public:
  int count() const override { return 1; }
  std::string why_none() const override { return ""; }
  DeviceProperties properties(int) const override {
    return {.kind = DeviceProperties::Kind::cuda, .name = "emulated device", .major = 9};
  }
  std::size_t total_memory(int) const override { return std::size_t{1} << 32; }
  std::unique_ptr<Stream> make_stream(int) override { return std::make_unique<EmulatedStream>(); }
};

}  // namespace
}  // namespace weft::cuda

extern "C" WEFT_API void weft_open_backend() {
  static weft::cuda::EmulatedBackend backend;
  weft::set_device_backend(weft::DeviceKind::cuda, &backend);
}

// For tests: waits do not end while it is on.
extern "C" WEFT_API void weft_emulated_hold(int on) {
  weft::cuda::is_held = on != 0;
}
