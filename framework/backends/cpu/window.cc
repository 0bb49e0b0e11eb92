#include "framework/ops/window.h"

#include <algorithm>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

void window_forward(Stream&, ConstView x, int window, View y) {
  const std::int64_t n = x.rows(), d = x.cols();
  for (std::int64_t t = 0; t < n; ++t) {
    float* to = y.row<float>(t);
    for (std::int64_t from = t - window; from <= t + window; ++from, to += d) {
      if (from < 0 || from >= n) {
        std::fill_n(to, d, 0.0F);
      } else {
        std::copy_n(x.row<float>(from), d, to);
      }
    }
  }
}

WEFT_CPU_CLONES void window_backward(Stream&, ConstView dy, int window, View dx) {
  const std::int64_t n = dx.rows(), d = dx.cols();
  for (std::int64_t t = 0; t < n; ++t) {
    float* to = dx.row<float>(t);
    std::fill_n(to, d, 0.0F);
    for (std::int64_t from = std::max<std::int64_t>(0, t - window);
         from <= std::min(n - 1, t + window); ++from) {
      add_to(to, dy.row<float>(from) + (t - from + window) * d, d);
    }
  }
}

const KernelRegistration<WindowForward> forward_kernel{DeviceKind::cpu, window_forward};
const KernelRegistration<WindowBackward> backward_kernel{DeviceKind::cpu, window_backward};

}  // namespace

}  // namespace weft
