// A stream of a GPU as its kernels see it: what they are queued on, memory for what lies between
// two of them, and the way of small arrays from the host.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "framework/backends/cuda/uploads.h"
#include "framework/tensor/stream.h"

namespace weft::cuda {

class DeviceStream : public Stream {
 public:
  using Stream::Stream;
  // The cudaStream_t, once all that was asked for so far is in it; null on an emulated device.
  void* native() {
    hand_over_all();
    return queue();
  }
  // Has `work` put something into the cudaStream_t that it is given, behind all that was asked for
  // so far: at once, or later by another thread. It holds its arguments by value; memory of the
  // device may be given back meanwhile.
  void post(std::function<void(void* queue)> work) {
    if (!is_handing_over()) uploads_->flush(*this);
    hand_over(std::move(work));
  }
  void hand_over_all() final {
    uploads_->flush(*this);
    finish_posted();
  }
  // Told behind each piece of work that was queued.
  void note_queued() { ++queued_; }
  // Memory of the device, aligned to 256 bytes, until `release`: work that was queued by then may
  // still use it. Throws Error(memory).
  virtual void* scratch(std::size_t bytes) = 0;
  virtual void release(void* scratch) = 0;
  // Asks for a copy of `bytes` bytes of the host to the device; `from` may be changed at once.
  virtual void stage(void* to, const void* from, std::size_t bytes) = 0;

  // Small copies from page-locked memory of this stream wait for others (see Uploads).
  void copy(void* to, const void* from, std::size_t bytes, CopyKind kind) final {
    if (bytes == 0) return;
    rely();
    const bool waits = kind == CopyKind::host_to_device && uploads_->add(*this, to, from, bytes);
    if (!waits) copy_now(to, from, bytes, kind);
  }
  std::shared_ptr<void> pinned(std::size_t bytes) final {
    std::shared_ptr<void> memory = take_pinned(bytes);
    void* data = memory.get();
    uploads_->know(data, bytes);
    return {data, [memory = std::move(memory), uploads = uploads_](void* pointer) {
              uploads->forget(pointer);
            }};
  }
  // Does not wait where all that was queued has been waited for, by any thread. Work of this thread
  // was noted before, and a wait counts once it is over: for work that was noted before it was
  // known to be in the queue.
  void synchronize() final {
    if (!is_handing_over()) uploads_->flush(*this);
    const std::uint64_t wanted = queued_;
    finish_posted();
    std::uint64_t done = waited_for_;
    if (done >= wanted) return;
    wait();
    while (done < wanted && !waited_for_.compare_exchange_weak(done, wanted)) continue;
  }

 protected:
  friend class Uploads;
  virtual void* queue() const = 0;
  virtual void hand_over(std::function<void(void* queue)> work) { work(queue()); }
  // Whether this is called by work that is handed over: it may post work in its own place.
  virtual bool is_handing_over() const { return false; }
  // From now on this thread relies on work that others hand over, as of copies that wait together.
  virtual void rely() {}
  virtual void finish_posted() {}
  virtual void copy_now(void* to, const void* from, std::size_t bytes, CopyKind kind) = 0;
  virtual void wait() = 0;
  virtual std::shared_ptr<void> take_pinned(std::size_t bytes) = 0;
  // Shared with the owners of memory, who may outlive the stream.
  const std::shared_ptr<Uploads>& uploads() const { return uploads_; }

 private:
  std::shared_ptr<Uploads> uploads_ = std::make_shared<Uploads>();
  std::atomic<std::uint64_t> queued_ = 0;      // pieces of work
  std::atomic<std::uint64_t> waited_for_ = 0;  // of them
};

// The stream that a kernel of this backend is given.
inline DeviceStream& device_stream(Stream& stream) {
  return static_cast<DeviceStream&>(stream);
}

// An array on the device for the kernels that are queued while it lives; contents undefined.
template <class T>
class Scratch {
 public:
  Scratch(DeviceStream& stream, std::int64_t count)
      : stream_(stream),
        data_(count > 0 ? stream.scratch(static_cast<std::size_t>(count) * sizeof(T)) : nullptr) {}
  ~Scratch() {
    if (data_ != nullptr) stream_.release(data_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() const { return static_cast<T*>(data_); }

 private:
  DeviceStream& stream_;
  void* data_;
};

// A copy of an array of the host on the device, for the kernels that are queued while it lives.
template <class T>
class Staged {
 public:
  Staged(DeviceStream& stream, std::span<const T> values)
      : scratch_(stream, static_cast<std::int64_t>(values.size())) {
    if (!values.empty()) stream.stage(scratch_.data(), values.data(), values.size_bytes());
  }
  const T* data() const { return scratch_.data(); }

 private:
  Scratch<T> scratch_;
};

#ifdef __CUDACC__

// Lets the kernel take that much shared memory: without it a launch has at most 48 KiB.
void allow_shared(const void* kernel, std::size_t bytes);
// Throws Error(device) if the launch before failed.
void check_launch();

#else

// The memory of the emulated device can be touched while one of these lives, and at no other time.
class DeviceAccess {
 public:
  explicit DeviceAccess(DeviceStream& stream);
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

// The shared memory of a block, not initialised (filled with a pattern that is no number).
std::unique_ptr<char[]> shared_memory(std::size_t bytes);

// Whether the blocks and threads of a launch run from the last to the first: of half of them, in no
// regular order.
bool next_launch_is_backwards();

#endif

}  // namespace weft::cuda
