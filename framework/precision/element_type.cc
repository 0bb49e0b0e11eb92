#include "framework/precision/element_type.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "framework/precision/convert.h"

namespace weft {
namespace {

std::span<const std::uint16_t> bits(ConstView row) {
  return {static_cast<const std::uint16_t*>(row.data), static_cast<std::size_t>(row.size())};
}

std::span<const float> numbers(ConstView row) {
  return {row.as<float>(), static_cast<std::size_t>(row.size())};
}

// One stretch of memory to another.
void cast_span(ConstView from, View to) {
  const auto count = static_cast<std::size_t>(to.size());
  if (from.dtype == to.dtype) {
    std::memcpy(to.data, from.data, count * size_of(to.dtype));
  } else if (to.dtype == DType::f32) {
    widen(format_of(from.dtype), bits(from), {to.as<float>(), count});
  } else if (from.dtype == DType::f32) {
    narrow(format_of(to.dtype), numbers(from), {static_cast<std::uint16_t*>(to.data), count});
  } else {  // between the two 16-bit formats
    std::vector<float> wide(count);
    widen(format_of(from.dtype), bits(from), wide);
    narrow(format_of(to.dtype), wide, {static_cast<std::uint16_t*>(to.data), count});
  }
}

}  // namespace

void cast_rows(ConstView from, View to) {
  if (to.size() == 0) return;
  if (from.is_contiguous() && to.is_contiguous()) return cast_span(from, to);
  for (std::int64_t i = 0; i < to.rows(); ++i) cast_span(from.slice(i, 1), to.slice(i, 1));
}

Tensor cast_to(DType type, const Tensor& tensor) {
  if (tensor.dtype() == type || !tensor) return tensor;
  HostAllocator host;
  Tensor result(host, tensor.shape(), type);
  cast_rows(tensor, result.view());
  return result;
}

}  // namespace weft
