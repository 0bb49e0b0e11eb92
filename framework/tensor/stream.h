// The queue of a device's work, and memory there.
#pragma once

#include <cstdint>
#include <memory>

#include "framework/tensor/device.h"
#include "framework/tensor/storage.h"
#include "framework/tensor/task_runner.h"
#include "registry/base/export.h"

namespace weft {

enum class CopyKind : std::uint8_t { host_to_device, device_to_host, device_to_device };

// Work runs in the order in which it was queued; any thread may queue. The CPU runs at once, on
// plain memory; the backend of a GPU derives its own.
class WEFT_API Stream : public Allocator {
 public:
  explicit Stream(Device device = {});
  ~Stream() override;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // The threads that kernels of the CPU may share their work with; it outlives the work. Null, as
  // at first: they keep to the thread that calls them. Not while one runs.
  void share_among(const TaskRunner* tasks) { tasks_ = tasks; }
  const TaskRunner* tasks() const { return tasks_; }

  const Device& device() const { return device_; }
  bool is_cpu() const { return device_.kind == DeviceKind::cpu; }

  // Memory of the device for arrays that outlive a step and for the blocks of an arena. Work that
  // is queued when its last owner goes may still use it. Throws Error(memory), also for what would
  // go beyond the budget.
  Storage allocate(std::size_t bytes) final;
  // Host memory that queued copies go to and from without holding up anybody.
  virtual std::shared_ptr<void> pinned(std::size_t bytes);

  // Queued. The host memory of a copy stays as it is until the copy has run.
  virtual void zero(void* to, std::size_t bytes);
  virtual void copy(void* to, const void* from, std::size_t bytes, CopyKind kind);
  // Returns once the device's queue has all that was asked for, which may be before it has run.
  // Throws Error(memory) or Error(device) for what could not be queued.
  virtual void hand_over_all() {}
  // Waits until everything that was queued has run. Throws Error(device) for what failed in it.
  virtual void synchronize() {}

  // A point of the queue, behind all that was queued so far, for times.
  using Mark = std::shared_ptr<const void>;
  virtual Mark mark();
  // From one point to a later one, by the clock of the device. Waits until it has come to both.
  virtual double seconds_between(const Mark& begin, const Mark& end);

  // Bytes that `allocate` may have given out at the same time ([system] gpu_memory); 0: no limit.
  void set_budget(std::size_t bytes);
  std::size_t budget() const;
  // Given out by `allocate` at the moment, and at most so far.
  std::size_t allocated() const;
  std::size_t peak() const;

 protected:
  // Takes memory of the device, aligned to 256 bytes. The owner's deleter may run after the stream
  // is gone, and gives the memory back once what is queued by then has run. Throws Error(memory).
  virtual std::shared_ptr<void> take(std::size_t bytes);

 private:
  struct Usage;
  Device device_;
  const TaskRunner* tasks_ = nullptr;
  std::shared_ptr<Usage> usage_;
};

// A stream on that device. Throws Error(device) if its kind has no backend (see device_backend.h).
WEFT_API std::shared_ptr<Stream> make_stream(Device device);

}  // namespace weft
