#include "framework/ops/softmax.h"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

void softmax_backward(Stream&, ConstView dy, ConstView y, View dx) {
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    const float *share = y.row<float>(i), *d = dy.row<float>(i);
    float* to = dx.row<float>(i);
    float sum = 0;
    for (std::int64_t j = 0; j < y.cols(); ++j) {
      to[j] = share[j] * d[j];
      sum += to[j];
    }
    for (std::int64_t j = 0; j < y.cols(); ++j) to[j] -= share[j] * sum;
  }
}

void softmax_forward(Stream&, ConstView x, float temperature, View y) {
  const std::int64_t d = x.cols();
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const float* in = x.row<float>(i);
    float* out = y.row<float>(i);
    const float highest = *std::max_element(in, in + d);
    float sum = 0;
    for (std::int64_t j = 0; j < d; ++j) {
      out[j] = std::exp((in[j] - highest) / temperature);
      sum += out[j];
    }
    for (std::int64_t j = 0; j < d; ++j) out[j] /= sum;
  }
}

const KernelRegistration<SoftmaxForward> registered{DeviceKind::cpu, softmax_forward};
const KernelRegistration<SoftmaxBackward> backward_registered{DeviceKind::cpu, softmax_backward};

}  // namespace

}  // namespace weft
