#include <cmath>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/row_lanes.h"
#include "framework/backends/cuda/softmax_library.h"
#include "framework/ops/softmax.h"

namespace weft::cuda {
namespace {

struct Softmax {
  Floats x, y;
  std::int64_t rows, width;
  float temperature;

  WEFT_KERNEL void operator()(Block& block) const {
    const RowLanes lanes(block, rows, width, 2);
    // The largest number is subtracted first: exp is at most 1, and the sum at least 1.
    const float lowest = -std::numeric_limits<float>::infinity();
    lanes.reduce(
        0, lowest, [&](std::int64_t i, std::int64_t j) { return x.load(i, j); },
        [](float a, float b) { return a < b ? b : a; });
    const auto term = [&](std::int64_t i, std::int64_t j) {
      return std::exp((x.load(i, j) - lanes.result(0, i)) / temperature);
    };
    lanes.sum(1, term);
    lanes.for_elements([&](std::int64_t i, std::int64_t j, int) {
      y.store(i, j, term(i, j) / lanes.result(1, i));
    });
  }
};

void softmax_forward(Stream& stream, ConstView x, float temperature, View y) {
  DeviceStream& queue = device_stream(stream);
  if (temperature == 1.0F && softmax_by_library(queue, x, y)) {
    return tell_queued(queue, Queued::kernel, "in cuDNN's softmax");
  }
  launch(queue, RowLanes::blocks_for(x.rows()), RowLanes::kThreadsOfBlock, RowLanes::shared_size(2),
         Softmax{floats(x), floats(y), x.rows(), x.cols(), temperature});
}

const KernelRegistration<SoftmaxForward> registered{DeviceKind::cuda, softmax_forward,
                                                    KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
