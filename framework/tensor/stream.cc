#include "framework/tensor/stream.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "framework/tensor/device_backend.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

// Shared with the owners of the memory, which may outlive the stream.
struct Stream::Usage {
  std::mutex mutex;
  std::size_t budget = 0;
  std::size_t allocated = 0;
  std::size_t peak = 0;

  // Whether the budget allows for it; then it counts as taken.
  bool add(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    if (budget > 0 && (bytes > budget || allocated > budget - bytes)) return false;
    allocated += bytes;
    peak = std::max(peak, allocated);
    return true;
  }
  void remove(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    allocated -= bytes;
  }
};

Stream::Stream(Device device) : device_(device), usage_(std::make_shared<Usage>()) {}
Stream::~Stream() = default;

Storage Stream::allocate(std::size_t bytes) {
  check_injected_failure(bytes);
  if (!usage_->add(bytes)) {
    throw Error(ErrorKind::memory, "out of device memory: " + std::to_string(bytes) +
                                       " bytes wanted, " + std::to_string(allocated()) + " of " +
                                       std::to_string(budget()) +
                                       " that [system] gpu_memory allows are in use");
  }
  std::shared_ptr<void> memory;
  try {
    memory = take(bytes);
  } catch (...) {
    usage_->remove(bytes);
    throw;
  }
  void* data = memory.get();
  const auto give_back = [memory = std::move(memory), usage = usage_, bytes](void*) mutable {
    memory.reset();
    usage->remove(bytes);
  };
  return {data, bytes, device_, std::shared_ptr<void>(data, give_back)};
}

std::shared_ptr<void> Stream::take(std::size_t bytes) {
  return HostAllocator().allocate(bytes).owner;
}

std::shared_ptr<void> Stream::pinned(std::size_t bytes) {
  return HostAllocator().allocate(bytes).owner;
}

// Here all work has run already when it is queued.
Stream::Mark Stream::mark() {
  return std::make_shared<const Clock::time_point>(Clock::now());
}

double Stream::seconds_between(const Mark& begin, const Mark& end) {
  const auto time_of = [](const Mark& mark) {
    return *static_cast<const Clock::time_point*>(mark.get());
  };
  return std::chrono::duration<double>(time_of(end) - time_of(begin)).count();
}

void Stream::zero(void* to, std::size_t bytes) {
  if (bytes > 0) std::memset(to, 0, bytes);
}

void Stream::copy(void* to, const void* from, std::size_t bytes, CopyKind) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void Stream::set_budget(std::size_t bytes) {
  const std::lock_guard lock(usage_->mutex);
  usage_->budget = bytes;
}

std::size_t Stream::budget() const {
  const std::lock_guard lock(usage_->mutex);
  return usage_->budget;
}

std::size_t Stream::allocated() const {
  const std::lock_guard lock(usage_->mutex);
  return usage_->allocated;
}

std::size_t Stream::peak() const {
  const std::lock_guard lock(usage_->mutex);
  return usage_->peak;
}

namespace {

std::array<std::atomic<DeviceBackend*>, 2> backends{};

}  // namespace

void set_device_backend(DeviceKind kind, DeviceBackend* backend) {
  backends[static_cast<std::size_t>(kind)] = backend;
}

DeviceBackend* device_backend(DeviceKind kind) {
  return backends[static_cast<std::size_t>(kind)];
}

std::shared_ptr<Stream> make_stream(Device device) {
  if (device.kind == DeviceKind::cpu) return std::make_shared<Stream>(device);
  DeviceBackend* backend = device_backend(device.kind);
  if (backend == nullptr) {
    throw Error(ErrorKind::device, "no library for that kind of device is loaded");
  }
  return backend->make_stream(device.index);
}

}  // namespace weft
