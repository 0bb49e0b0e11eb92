// One device that is not there: the kernels of the CUDA backend, run by the host (see block.h).
#include <cstdlib>
#include <cstring>

#include "framework/backends/cuda/device_stream.h"
#include "framework/backends/cuda/queue_watch.h"
#include "framework/tensor/device_backend.h"
#include "registry/base/error.h"
#include "tests/emulated_device/device_memory.h"

namespace weft::cuda {
namespace {

class EmulatedStream final : public DeviceStream {
 public:
  EmulatedStream() : DeviceStream(Device{DeviceKind::cuda, 0}) {}
  ~EmulatedStream() override { note_peak_memory(DeviceMemory::instance().peak()); }

  void* native() const override { return nullptr; }
  void* scratch(std::size_t bytes) override {
    count(Queued::allocation);
    return DeviceMemory::instance().take(bytes);
  }
  void release(void* scratch) override { DeviceMemory::instance().give_back(scratch); }
  void stage(void* to, const void* from, std::size_t bytes) override {
    copy(to, from, bytes, CopyKind::host_to_device);
  }
  void zero(void* to, std::size_t bytes) override {
    const DeviceAccess access(*this);
    if (bytes == 0) return;
    std::memset(to, 0, bytes);
    tell_queued(*this, Queued::memset, "in setting memory to zero");
  }
  void copy(void* to, const void* from, std::size_t bytes, CopyKind) override {
    const DeviceAccess access(*this);
    if (bytes == 0) return;
    std::memcpy(to, from, bytes);
    tell_queued(*this, Queued::copy, "in a copy");
  }
  void synchronize() override {
    count(Queued::wait);
    if (std::getenv("WEFT_EMULATED_FAULT") == nullptr) return;  // for tests
    throw Error(ErrorKind::device, "a fault of the emulated device");
  }

 protected:
  std::shared_ptr<void> take(std::size_t bytes) override {
    count(Queued::allocation);
    return {DeviceMemory::instance().take(bytes),
            [](void* memory) { DeviceMemory::instance().give_back(memory); }};
  }
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
