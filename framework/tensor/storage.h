// Memory that tensors share, and its allocators.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "framework/tensor/device.h"
#include "registry/base/export.h"

namespace weft {

// A block of memory on one device; freed, or given back to its allocator, with its last owner.
struct WEFT_API Storage {
  void* data = nullptr;
  std::size_t bytes = 0;
  Device device;
  std::shared_ptr<void> owner;  // keeps the memory alive
};

class WEFT_API Allocator {
 public:
  virtual ~Allocator() = default;
  // At least `bytes` bytes, aligned to 64, contents undefined. Throws Error(memory).
  virtual Storage allocate(std::size_t bytes) = 0;
};

// Plain memory of the host.
class WEFT_API HostAllocator final : public Allocator {
 public:
  Storage allocate(std::size_t bytes) override;
};

// Gives out pieces of large blocks and takes all of them back at once: what a step allocates lives
// until the step ends. `reset` invalidates every tensor that came from here; the blocks are kept
// for the next step. One thread at a time.
class WEFT_API Arena final : public Allocator {
 public:
  // A block of at least so many bytes; throws Error(memory).
  using BlockSource = std::function<Storage(std::size_t bytes)>;

  Arena();  // on the host, straight from the system
  // Pieces have the device of the blocks and are aligned to 256 bytes.
  explicit Arena(BlockSource blocks);
  ~Arena() override;
  Arena(Arena&&) noexcept;
  Arena& operator=(Arena&&) noexcept;
  Storage allocate(std::size_t bytes) override;
  void reset();
  // The same, and the blocks go back to the system.
  void release();
  // The most bytes that were in use between two resets.
  std::size_t peak() const;
  std::size_t in_use() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// For tests: from now on every allocation of host memory, from an arena too, is told with its bytes
// and fails where `fails` says so. An empty function ends this. Any thread may allocate; set it
// while none does.
WEFT_API void fail_allocations(std::function<bool(std::size_t bytes)> fails);
// Throws Error(memory) where that function says so: for allocators.
WEFT_API void check_injected_failure(std::size_t bytes);

}  // namespace weft
