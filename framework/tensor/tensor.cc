#include "framework/tensor/tensor.h"

#include <cassert>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

std::string_view name_of(DType type) {
  switch (type) {
    case DType::f32:
      return "f32";
    case DType::f16:
      return "f16";
    case DType::bf16:
      return "bf16";
    case DType::f64:
      return "f64";
    case DType::i32:
      return "i32";
    case DType::i64:
      return "i64";
    case DType::u64:
      return "u64";
    case DType::u8:
      return "u8";
  }
  return "?";
}

std::string Shape::str() const {
  std::string text = "(";
  for (int axis = 0; axis < rank_; ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(dims_[axis]);
  }
  return text + ")";
}

Tensor::Tensor(Allocator& allocator, Shape shape, DType dtype) : shape_(shape), dtype_(dtype) {
  storage_ = allocator.allocate(bytes());
}

Tensor::Tensor(Storage storage, Shape shape, DType dtype)
    : storage_(std::move(storage)), shape_(shape), dtype_(dtype) {
  assert(storage_.bytes >= bytes());
}

Tensor Tensor::zeros(Shape shape, DType dtype) {
  HostAllocator host;
  Tensor result(host, shape, dtype);
  result.fill_zero();
  return result;
}

void Tensor::refuse(DType asked) const {
  throw Error(
      ErrorKind::internal,
      fmt::format("an array {} of {} was taken for one of {}; dtype() tells which it is, and "
                  "Context::cast makes another of it",
                  shape_.str(), name_of(dtype_), name_of(asked)));
}

// No element is copied: the result is the same memory from another place on, with fewer rows.
Tensor Tensor::rows(std::int64_t begin, std::int64_t end) const {
  assert(shape_.rank() >= 1 && 0 <= begin && begin <= end && end <= shape_[0]);
  const std::int64_t row = shape_[0] == 0 ? 0 : size() / shape_[0];
  Tensor result = *this;
  result.offset_ += static_cast<std::size_t>(begin * row) * size_of(dtype_);
  switch (shape_.rank()) {
    case 1:
      result.shape_ = {end - begin};
      break;
    case 2:
      result.shape_ = {end - begin, shape_[1]};
      break;
    case 3:
      result.shape_ = {end - begin, shape_[1], shape_[2]};
      break;
    default:
      result.shape_ = {end - begin, shape_[1], shape_[2], shape_[3]};
  }
  return result;
}

Tensor Tensor::reshaped(Shape shape) const {
  assert(shape.size() == size());
  Tensor result = *this;
  result.shape_ = shape;
  return result;
}

namespace {

// Memory of a device is only reached by way of a stream (Context::on_host, Context::copy).
void check_on_host(const Tensor& tensor) {
  if (tensor.device().kind == DeviceKind::cpu) return;
  throw Error(ErrorKind::internal, "an array on a device was touched by the host");
}

}  // namespace

Tensor Tensor::clone() const {
  check_on_host(*this);
  HostAllocator host;
  Tensor result(host, shape_, dtype_);
  if (bytes() > 0) std::memcpy(result.raw(), raw(), bytes());
  return result;
}

void Tensor::copy_from(const Tensor& other) {
  if (other.shape_ != shape_ || other.dtype_ != dtype_) {
    throw Error(ErrorKind::internal, "copy of " + other.shape_.str() + " into " + shape_.str());
  }
  check_on_host(*this);
  check_on_host(other);
  if (bytes() > 0) std::memcpy(raw(), other.raw(), bytes());
}

void Tensor::fill_zero() {
  check_on_host(*this);
  if (bytes() > 0) std::memset(raw(), 0, bytes());
}

}  // namespace weft
