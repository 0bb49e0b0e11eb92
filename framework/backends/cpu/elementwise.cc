#include "framework/ops/elementwise.h"

#include <cstring>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/vector_math.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// Calls `row(i, n)` for every row, or once with all elements where both views are contiguous.
template <class RowFn>
inline void for_rows(ConstView a, ConstView b, RowFn row) {
  if (a.is_contiguous() && b.is_contiguous()) {
    row(std::int64_t{0}, b.size());
    return;
  }
  for (std::int64_t i = 0; i < b.rows(); ++i) row(i, b.cols());
}

WEFT_CPU_CLONES void add_in_place(Stream&, View to, ConstView from) {
  for_rows(from, to, [&](std::int64_t i, std::int64_t n) {
    add_to(to.row<float>(i), from.row<float>(i), n);
  });
}

WEFT_CPU_CLONES void multiply_in_place(Stream&, View x, ConstView factor) {
  if (factor.rows() == 1 && x.rows() != 1) {
    for (std::int64_t i = 0; i < x.rows(); ++i) {
      multiply_by(x.row<float>(i), factor.as<float>(), x.cols());
    }
    return;
  }
  for_rows(factor, x, [&](std::int64_t i, std::int64_t n) {
    multiply_by(x.row<float>(i), factor.row<float>(i), n);
  });
}

inline void multiply_rows(const float* __restrict x, const float* __restrict factor,
                          float* __restrict y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] * factor[i];
}

WEFT_CPU_CLONES void multiply(Stream&, ConstView x, ConstView factor, View y) {
  const std::int64_t step = factor.rows() == 1 ? 0 : 1;
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    multiply_rows(x.row<float>(i), factor.row<float>(i * step), y.row<float>(i), y.cols());
  }
}

WEFT_CPU_CLONES void scale(Stream&, ConstView x, float factor, View y) {
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    const float* from = x.row<float>(i);
    float* to = y.row<float>(i);
    for (std::int64_t j = 0; j < y.cols(); ++j) to[j] = from[j] * factor;
  }
}

void copy_rows(Stream&, ConstView from, View to) {
  if (from.dtype != to.dtype) return cast_rows(from, to);
  for_rows(from, to, [&](std::int64_t i, std::int64_t n) {
    const std::size_t bytes = static_cast<std::size_t>(n) * size_of(to.dtype);
    if (bytes > 0) std::memcpy(to.slice(i, 1).data, from.slice(i, 1).data, bytes);
  });
}

const KernelRegistration<AddInPlace> add_kernel{DeviceKind::cpu, add_in_place};
const KernelRegistration<MultiplyInPlace> multiply_kernel{DeviceKind::cpu, multiply_in_place};
const KernelRegistration<Multiply> hadamard_kernel{DeviceKind::cpu, multiply};
const KernelRegistration<Scale> scale_kernel{DeviceKind::cpu, scale};
const KernelRegistration<CopyRows> copy_kernel{DeviceKind::cpu, copy_rows};

}  // namespace

}  // namespace weft
