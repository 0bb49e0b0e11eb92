// A tensor as a kernel sees it: a pointer, a type and a shape. Row-major and contiguous.
#pragma once

#include "framework/tensor/dtype.h"
#include "framework/tensor/shape.h"

namespace weft {

struct View {
  void* data = nullptr;
  DType dtype = DType::f32;
  Shape shape;

  template <class T>
  T* as() const {
    assert(size() == 0 || DTypeOf<T>::value == dtype);
    return static_cast<T*>(data);
  }
  std::int64_t size() const { return shape.size(); }
  std::int64_t dim(int axis) const { return shape[axis]; }
  // The product of all dimensions but the last: rows of a matrix whatever its rank.
  std::int64_t rows() const { return cols() == 0 ? 0 : size() / cols(); }
  std::int64_t cols() const { return shape.rank() == 0 ? 0 : shape[shape.rank() - 1]; }
  explicit operator bool() const { return data != nullptr; }
};

struct ConstView {
  const void* data = nullptr;
  DType dtype = DType::f32;
  Shape shape;

  ConstView() = default;
  ConstView(const void* pointer, DType type, Shape dims)
      : data(pointer), dtype(type), shape(dims) {}
  ConstView(const View& view) : data(view.data), dtype(view.dtype), shape(view.shape) {}

  template <class T>
  const T* as() const {
    assert(size() == 0 || DTypeOf<T>::value == dtype);
    return static_cast<const T*>(data);
  }
  std::int64_t size() const { return shape.size(); }
  std::int64_t dim(int axis) const { return shape[axis]; }
  std::int64_t rows() const { return cols() == 0 ? 0 : size() / cols(); }
  std::int64_t cols() const { return shape.rank() == 0 ? 0 : shape[shape.rank() - 1]; }
  explicit operator bool() const { return data != nullptr; }
};

}  // namespace weft
