// Scratch memory of kernels: packing and tiles of results need some for a moment, and fetching it
// from the system each time would cost more than they do. Each thread keeps a block of each use,
// which waits in its caches; others wait in one pool for each use, so that those of a pool are of
// similar sizes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/tensor/object_pool.h"
#include "framework/tensor/storage.h"
#include "registry/base/export.h"

namespace weft::cpu {

enum class ScratchUse : std::uint8_t {
  left,
  right,
  rows,
  converted,
  gradients,
  largest,
  inputs,
  sums,  // the last one
};

// At least so many bytes, aligned to 64, contents undefined; its holder's alone until it goes.
class WEFT_API ScratchMemory {
 public:
  ScratchMemory() = default;  // holds none
  // Throws Error(memory).
  ScratchMemory(ScratchUse use, std::size_t bytes);
  ~ScratchMemory();
  ScratchMemory(ScratchMemory&&) = default;
  ScratchMemory& operator=(ScratchMemory&& other) noexcept;
  void* data() const { return block_->data; }

 private:
  ScratchUse use_ = ScratchUse::left;
  ObjectPool<Storage>::Lease block_;
};

// The same as an array, which is used like a pointer to its first element.
template <class T>
class ScratchArray {
 public:
  ScratchArray() = default;
  ScratchArray(ScratchUse use, std::int64_t count)
      : memory_(use, static_cast<std::size_t>(count) * sizeof(T)) {}
  operator T*() const { return static_cast<T*>(memory_.data()); }

 private:
  ScratchMemory memory_;
};

}  // namespace weft::cpu
