#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/scatter.h"
#include "framework/ops/gather.h"

namespace weft::cuda {
namespace {

struct RowsByNumber {
  Floats x, y;
  const std::int32_t* rows;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    const std::int32_t from = rows[i];
    y.store(i, j, from < 0 ? 0.0F : x.load(from, j));
  }
};

void gather_rows(Stream& stream, ConstView x, ConstView rows, View y) {
  launch_matrix(device_stream(stream), y.rows(), y.cols(),
                RowsByNumber{floats(x), floats(y), rows.as<std::int32_t>()});
}

// Up to which every row of the result looks at the whole list for itself: longer ones are sorted,
// in several kernels.
constexpr std::int64_t kShortList = 4096;

// A thread has one number of the result and follows the list from its beginning to its end.
struct SumOfNamed {
  Floats dy, dx;
  const std::int32_t* rows;
  std::int64_t count;
  WEFT_KERNEL void operator()(std::int64_t row, std::int64_t j) const {
    float sum = 0.0F;
    bool any = false;
    for (std::int64_t e = 0; e < count; ++e) {
      if (rows[e] != row) continue;
      sum += dy.load(e, j);
      any = true;
    }
    if (any) dx.store(row, j, dx.load(row, j) + sum);
  }
};

void scatter_rows(Stream& stream, ConstView dy, ConstView rows, View dx) {
  if (dy.rows() <= kShortList && dy.rows() > 0) {
    return launch_matrix(device_stream(stream), dx.rows(), dx.cols(),
                         SumOfNamed{floats(dy), floats(dx), rows.as<std::int32_t>(), dy.rows()});
  }
  scatter_add(device_stream(stream), dy, {rows.as<std::int32_t>(), dy.rows(), 1, 1}, dx);
}

const KernelRegistration<GatherRows> gather_kernel{DeviceKind::cuda, gather_rows,
                                                   KernelFormats::any};
const KernelRegistration<ScatterAddRows> scatter_kernel{DeviceKind::cuda, scatter_rows,
                                                        KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
