#include "framework/ops/gather.h"

#include <algorithm>
#include <cstring>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/vector_math.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// Between types of which one at least has 16 bits.
void gather_cast_rows(ConstView x, const std::int32_t* from, View y) {
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    const View to = y.slice(i, 1);
    if (from[i] < 0) {
      std::memset(to.data, 0, static_cast<std::size_t>(y.cols()) * size_of(y.dtype));
    } else {
      cast_rows(x.slice(from[i], 1), to);
    }
  }
}

void gather_rows(Stream&, ConstView x, ConstView rows, View y) {
  const auto* from = rows.as<std::int32_t>();
  if (x.dtype != DType::f32 || y.dtype != DType::f32) return gather_cast_rows(x, from, y);
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    float* to = y.row<float>(i);
    if (from[i] < 0) {
      std::fill_n(to, y.cols(), 0.0F);
    } else {
      std::copy_n(x.row<float>(from[i]), y.cols(), to);
    }
  }
}

WEFT_CPU_CLONES void scatter_add_rows(Stream&, ConstView dy, ConstView rows, View dx, float beta) {
  if (beta == 0.0F) {
    for (std::int64_t i = 0; i < dx.rows(); ++i) std::fill_n(dx.row<float>(i), dx.cols(), 0.0F);
  }
  const auto* to = rows.as<std::int32_t>();
  for (std::int64_t i = 0; i < dy.rows(); ++i) {
    add_to(dx.row<float>(to[i]), dy.row<float>(i), dy.cols());
  }
}

const KernelRegistration<GatherRows> gather_kernel{DeviceKind::cpu, gather_rows};
const KernelRegistration<ScatterAddRows> scatter_kernel{DeviceKind::cpu, scatter_add_rows};

}  // namespace

}  // namespace weft
