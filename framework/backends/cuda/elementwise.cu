#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/ops/elementwise.h"

namespace weft::cuda {
namespace {

struct Add {
  Floats to, from;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    to.store(i, j, to.load(i, j) + from.load(i, j));
  }
};

struct Multiplied {
  Floats x, factor, y;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    y.store(i, j, x.load(i, j) * factor.load(i, j));
  }
};

struct Scaled {
  Floats x, y;
  float factor;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    y.store(i, j, x.load(i, j) * factor);
  }
};

struct Cast {
  Floats from, to;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    to.store(i, j, from.load(i, j));
  }
};

// Copies without change of type move bits, not numbers: NaN keeps its payload, and integers pass.
template <class Unit>
struct CopyUnits {
  const Unit* from;
  Unit* to;
  std::int64_t from_stride, to_stride;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    to[i * to_stride + j] = from[i * from_stride + j];
  }
};

// Rows of arrays that follow each other without a gap are one long row.
template <class Functor, class... Views>
void launch_over(Stream& stream, const Functor& functor, ConstView result, Views... others) {
  if ((result.is_contiguous() && ... && others.is_contiguous())) {
    launch_matrix(device_stream(stream), 1, result.size(), functor);
  } else {
    launch_matrix(device_stream(stream), result.rows(), result.cols(), functor);
  }
}

void add_in_place(Stream& stream, View to, ConstView from) {
  launch_over(stream, Add{floats(to), floats(from)}, to, from);
}

void multiply(Stream& stream, ConstView x, ConstView factor, View y) {
  // One row of factors, for all rows of x.
  if (factor.rows() == 1 && x.rows() != 1) {
    launch_matrix(device_stream(stream), y.rows(), y.cols(),
                  Multiplied{floats(x), repeated_row(factor), floats(y)});
  } else {
    launch_over(stream, Multiplied{floats(x), floats(factor), floats(y)}, y, x, factor);
  }
}

void multiply_in_place(Stream& stream, View x, ConstView factor) {
  multiply(stream, x, factor, x);
}

void scale(Stream& stream, ConstView x, float factor, View y) {
  launch_over(stream, Scaled{floats(x), floats(y), factor}, y, x);
}

template <class Unit>
void copy_units(Stream& stream, ConstView from, View to) {
  launch_over(stream,
              CopyUnits<Unit>{static_cast<const Unit*>(from.data), static_cast<Unit*>(to.data),
                              from.row_stride(), to.row_stride()},
              to, from);
}

struct alignas(16) Unit16 {
  std::uint64_t words[2];
};

// A copy engine takes the host longer to start than a kernel does, and pays off for large arrays.
void copy_bytes(Stream& stream, const void* from, void* to, std::size_t bytes) {
  constexpr std::size_t kMostByKernel = std::size_t{256} << 10;
  const auto places = reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to);
  if (bytes > kMostByKernel || (places | bytes) % sizeof(Unit16) != 0) {
    return stream.copy(to, from, bytes, CopyKind::device_to_device);
  }
  const auto units = static_cast<std::int64_t>(bytes / sizeof(Unit16));
  launch_matrix(
      device_stream(stream), 1, units,
      CopyUnits<Unit16>{static_cast<const Unit16*>(from), static_cast<Unit16*>(to), units, units});
}

void copy_rows(Stream& stream, ConstView from, View to) {
  if (to.size() == 0) return;
  if (from.dtype != to.dtype) return launch_over(stream, Cast{floats(from), floats(to)}, to, from);
  if (from.is_contiguous() && to.is_contiguous()) {
    const std::size_t bytes = static_cast<std::size_t>(to.size()) * size_of(to.dtype);
    return copy_bytes(stream, from.data, to.data, bytes);
  }
  switch (size_of(to.dtype)) {
    case 1:
      return copy_units<std::uint8_t>(stream, from, to);
    case 2:
      return copy_units<std::uint16_t>(stream, from, to);
    case 4:
      return copy_units<std::uint32_t>(stream, from, to);
    default:
      return copy_units<std::uint64_t>(stream, from, to);
  }
}

const KernelRegistration<AddInPlace> add_kernel{DeviceKind::cuda, add_in_place, KernelFormats::any};
const KernelRegistration<MultiplyInPlace> multiply_kernel{DeviceKind::cuda, multiply_in_place,
                                                          KernelFormats::any};
const KernelRegistration<Multiply> hadamard_kernel{DeviceKind::cuda, multiply, KernelFormats::any};
const KernelRegistration<Scale> scale_kernel{DeviceKind::cuda, scale, KernelFormats::any};
const KernelRegistration<CopyRows> copy_kernel{DeviceKind::cuda, copy_rows, KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
