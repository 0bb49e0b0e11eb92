// A tensor as a kernel sees it: a pointer, a type and a shape. Row-major; the rows of a matrix may
// be further apart than they are long, so that a view can be a block of columns of a wider matrix.
#pragma once

#include <type_traits>

#include "framework/tensor/dtype.h"
#include "framework/tensor/shape.h"

namespace weft {

// `Pointer` is void* or const void*.
template <class Pointer>
struct BasicView {
  Pointer data = nullptr;
  DType dtype = DType::f32;
  Shape shape;
  std::int64_t stride = 0;  // elements from one row to the next; 0: as many as a row has

  BasicView() = default;
  BasicView(Pointer pointer, DType type, Shape dims, std::int64_t row_stride = 0)
      : data(pointer), dtype(type), shape(dims), stride(row_stride) {}
  // A writable view can be read as well.
  BasicView(const BasicView<void*>& view) requires std::is_same_v<Pointer, const void*>
      : data(view.data), dtype(view.dtype), shape(view.shape), stride(view.stride) {}
  BasicView(const BasicView&) = default;
  BasicView& operator=(const BasicView&) = default;

  template <class T>
  auto* as() const {
    using Element = std::conditional_t<std::is_same_v<Pointer, const void*>, const T, T>;
    assert(size() == 0 || DTypeOf<T>::value == dtype);
    return static_cast<Element*>(data);
  }
  template <class T>
  auto* row(std::int64_t i) const {
    return as<T>() + i * row_stride();
  }

  std::int64_t size() const { return shape.size(); }
  std::int64_t dim(int axis) const { return shape[axis]; }
  // The product of all dimensions but the last: rows of a matrix whatever its rank.
  std::int64_t rows() const { return cols() == 0 ? 0 : size() / cols(); }
  std::int64_t cols() const { return shape.rank() == 0 ? 0 : shape[shape.rank() - 1]; }
  std::int64_t row_stride() const { return stride == 0 ? cols() : stride; }
  bool is_contiguous() const { return row_stride() == cols() || rows() <= 1; }
  explicit operator bool() const { return data != nullptr; }

  // As a matrix: columns [first, first + count); rows [first, first + count), also outside of the
  // view where its memory goes on; `count` rows from row `first` on, `step` apart.
  BasicView columns(std::int64_t first, std::int64_t count) const {
    return {at(first), dtype, {rows(), count}, row_stride()};
  }
  BasicView slice(std::int64_t first, std::int64_t count) const { return every(1, first, count); }
  BasicView every(std::int64_t step, std::int64_t first, std::int64_t count) const {
    return {at(first * row_stride()), dtype, {count, cols()}, row_stride() * step};
  }

 private:
  Pointer at(std::int64_t element) const {
    using Byte = std::conditional_t<std::is_same_v<Pointer, const void*>, const char, char>;
    return static_cast<Byte*>(data) + element * static_cast<std::int64_t>(size_of(dtype));
  }
};

using View = BasicView<void*>;
using ConstView = BasicView<const void*>;

}  // namespace weft
