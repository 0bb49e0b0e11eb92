// A row-major array on a device. Copies share the elements: a Tensor is a handle.
#pragma once

#include "framework/tensor/storage.h"
#include "framework/tensor/view.h"

namespace weft {

class WEFT_API Tensor {
 public:
  Tensor() = default;  // no elements, no memory
  // Contents undefined. Throws Error(memory).
  Tensor(Allocator& allocator, Shape shape, DType dtype);
  // In memory that is there already, of at least the bytes it takes.
  Tensor(Storage storage, Shape shape, DType dtype);
  // On the host, from plain memory, zeroed: for parameters and tests.
  static Tensor zeros(Shape shape, DType dtype = DType::f32);
  template <class T>
  static Tensor from(Shape shape, std::initializer_list<T> values) {
    Tensor result = zeros(shape, DTypeOf<T>::value);
    T* out = result.data<T>();
    for (const T value : values) *out++ = value;
    return result;
  }

  const Shape& shape() const { return shape_; }
  DType dtype() const { return dtype_; }
  const Device& device() const { return storage_.device; }
  std::int64_t size() const { return shape_.size(); }
  std::int64_t dim(int axis) const { return shape_[axis]; }
  std::size_t bytes() const { return static_cast<std::size_t>(size()) * size_of(dtype_); }
  explicit operator bool() const { return storage_.data != nullptr; }

  View view() { return {raw(), dtype_, shape_}; }
  ConstView view() const { return {raw(), dtype_, shape_}; }
  ConstView cview() const { return {raw(), dtype_, shape_}; }
  operator ConstView() const { return cview(); }
  // The first element. Throws Error(internal), which names both types, where the elements are of
  // another type: an array of 16 bits would be overrun. Once for a tensor, not for an element.
  template <class T>
  T* data() {
    return static_cast<T*>(checked(DTypeOf<T>::value));
  }
  template <class T>
  const T* data() const {
    return static_cast<const T*>(checked(DTypeOf<T>::value));
  }

  // Rows [begin, end) of the first dimension; shares the elements.
  Tensor rows(std::int64_t begin, std::int64_t end) const;
  // The same elements in another shape of the same size.
  Tensor reshaped(Shape shape) const;
  // ---- of tensors on the host; Context has the like for those of a device
  // A copy of its own.
  Tensor clone() const;
  // Copies the elements of a host tensor of the same shape and type into this one.
  void copy_from(const Tensor& other);
  void fill_zero();

 private:
  void* raw() const { return static_cast<char*>(storage_.data) + offset_; }
  void* checked(DType asked) const {
    if (asked != dtype_ && size() > 0) [[unlikely]]
      refuse(asked);
    return raw();
  }
  [[noreturn]] void refuse(DType asked) const;

  Storage storage_;
  std::size_t offset_ = 0;  // bytes
  Shape shape_;
  DType dtype_ = DType::f32;
};

}  // namespace weft
