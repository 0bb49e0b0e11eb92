// A dropout mask while it is kept for the backward pass, where memory matters: one byte for a
// number.
#pragma once

#include <utility>

#include "framework/ops/context.h"
#include "framework/tensor/storage.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

// Memory of arrays that nobody reads any more, for new ones; where it is used up, the context's.
class WEFT_API SparedMemory final : public Allocator {
 public:
  explicit SparedMemory(Context& ctx) : otherwise_(ctx.allocator()) {}
  // The contents of `array` are lost. The rest of the array spared before stays unused.
  void spare(Tensor& array);
  Storage allocate(std::size_t bytes) override;

 private:
  Allocator& otherwise_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  Device device_;  // where it lies
};

class WEFT_API SavedMask {
 public:
  SavedMask() = default;
  // As it is.
  explicit SavedMask(Tensor mask) : numbers_(std::move(mask)) {}
  // `mask` (rows, width), f32, may be empty: nothing is dropped. Where its numbers are zeros and
  // one other they are kept as bytes, and its memory is spared; else it is kept as it is.
  SavedMask(Context& ctx, Tensor mask, SparedMemory& memory);

  explicit operator bool() const { return static_cast<bool>(numbers_); }
  // f32, or u8: where it is not zero it stands for `keep_scale`.
  ConstView numbers() const { return numbers_.cview(); }
  float keep_scale() const { return keep_scale_; }

 private:
  Tensor numbers_;
  float keep_scale_ = 1.0F;
};

}  // namespace weft
