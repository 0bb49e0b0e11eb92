#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/ops/window.h"

namespace weft::cuda {
namespace {

struct Neighbours {
  Floats x, y;
  std::int64_t rows;
  std::uint32_t width;  // of x
  int window;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    const auto place = static_cast<std::uint32_t>(j);
    const std::int64_t from = i - window + place / width;
    const bool outside = from < 0 || from >= rows;
    y.store(i, j, outside ? 0.0F : x.load(from, place % width));
  }
};

// The backward pass gathers instead of scattering: a row was copied into the windows around it, and
// one thread adds the gradients of these copies in the order of the windows.
struct SumOfCopies {
  Floats dy, dx;
  std::int64_t rows, width;
  int window;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    const std::int64_t first = i < window ? 0 : i - window;
    const std::int64_t last = i + window < rows ? i + window : rows - 1;
    float sum = 0.0F;
    for (std::int64_t from = first; from <= last; ++from) {
      sum += dy.load(from, (i - from + window) * width + j);
    }
    dx.store(i, j, sum);
  }
};

void window_forward(Stream& stream, ConstView x, int window, View y) {
  const std::int64_t width = x.cols();
  launch_matrix(
      device_stream(stream), x.rows(), (2 * window + 1) * width,
      Neighbours{floats(x), floats(y), x.rows(), static_cast<std::uint32_t>(width), window});
}

void window_backward(Stream& stream, ConstView dy, int window, View dx) {
  launch_matrix(device_stream(stream), dx.rows(), dx.cols(),
                SumOfCopies{floats(dy), floats(dx), dx.rows(), dx.cols(), window});
}

const KernelRegistration<WindowForward> forward_kernel{DeviceKind::cuda, window_forward,
                                                       KernelFormats::any};
const KernelRegistration<WindowBackward> backward_kernel{DeviceKind::cuda, window_backward,
                                                         KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
