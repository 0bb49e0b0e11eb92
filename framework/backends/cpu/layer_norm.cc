#include "framework/ops/layer_norm.h"

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/layer_norm_row.h"

namespace weft {

namespace {

WEFT_CPU_CLONES void layer_norm_forward(Stream&, ConstView x, ConstView gain, ConstView bias,
                                        View y, View stats) {
  const std::int64_t d = x.cols();
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const float* in = x.row<float>(i);
    const RowStats of = stats_of(in, d);
    normalize(in, of, gain.as<float>(), bias.as<float>(), d, y.row<float>(i));
    stats.row<float>(i)[0] = of.mean;
    stats.row<float>(i)[1] = of.scale;
  }
}

WEFT_CPU_CLONES void layer_norm_backward(Stream&, ConstView dy, ConstView x, ConstView stats,
                                         ConstView gain, View dx, View d_gain, View d_bias) {
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const RowStats of{stats.row<float>(i)[0], stats.row<float>(i)[1]};
    normalize_backward(dy.row<float>(i), x.row<float>(i), of, gain.as<float>(), x.cols(),
                       dx.row<float>(i), d_gain.as<float>(), d_bias.as<float>());
  }
}

const KernelRegistration<LayerNormForward> forward_kernel{DeviceKind::cpu, layer_norm_forward};
const KernelRegistration<LayerNormBackward> backward_kernel{DeviceKind::cpu, layer_norm_backward};

}  // namespace

}  // namespace weft
