#include "framework/ops/activation.h"

namespace weft {

namespace {

template <class F>
void forward(ConstView x, View y) {
  const float* from = x.as<float>();
  float* to = y.as<float>();
  for (std::int64_t i = 0; i < y.size(); ++i) to[i] = F::value(from[i]);
}

template <class F>
void backward(ConstView dy, ConstView x, ConstView y, View dx) {
  const float* from = dy.as<float>();
  float* to = dx.as<float>();
  for (std::int64_t i = 0; i < dx.size(); ++i) {
    to[i] = from[i] * F::slope(x.as<float>()[i], y.as<float>()[i]);
  }
}

void activation_forward(Stream&, Activation activation, ConstView x, View y) {
  with_activation(activation, [&]<class F>(F) { forward<F>(x, y); });
}

void activation_backward(Stream&, Activation activation, ConstView dy, ConstView x, ConstView y,
                         View dx) {
  with_activation(activation, [&]<class F>(F) { backward<F>(dy, x, y, dx); });
}

const KernelRegistration<ActivationForward> forward_kernel{DeviceKind::cpu, activation_forward};
const KernelRegistration<ActivationBackward> backward_kernel{DeviceKind::cpu, activation_backward};

}  // namespace

}  // namespace weft
