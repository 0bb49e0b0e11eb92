#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/ops/activation.h"

namespace weft::cuda {
namespace {

template <class F>
struct Forward {
  Floats x, y;
  WEFT_KERNEL void operator()(std::int64_t i) const { y.store(0, i, F::value(x.load(0, i))); }
};

template <class F>
struct Backward {
  Floats dy, x, y, dx;
  WEFT_KERNEL void operator()(std::int64_t i) const {
    dx.store(0, i, dy.load(0, i) * F::slope(x.load(0, i), y.load(0, i)));
  }
};

void activation_forward(Stream& stream, Activation activation, ConstView x, View y) {
  with_activation(activation, [&]<class F>(F) {
    launch_elements(device_stream(stream), y.size(), Forward<F>{floats(x), floats(y)});
  });
}

void activation_backward(Stream& stream, Activation activation, ConstView dy, ConstView x,
                         ConstView y, View dx) {
  with_activation(activation, [&]<class F>(F) {
    launch_elements(device_stream(stream), dx.size(),
                    Backward<F>{floats(dy), floats(x), floats(y), floats(dx)});
  });
}

const KernelRegistration<ActivationForward> forward_kernel{DeviceKind::cuda, activation_forward,
                                                           KernelFormats::any};
const KernelRegistration<ActivationBackward> backward_kernel{DeviceKind::cuda, activation_backward,
                                                             KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
