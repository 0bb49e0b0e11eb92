#include "framework/ops/layer_norm.h"

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/layer_norm_row.h"

namespace weft {

namespace {

WEFT_CPU_CLONES void layer_norm_forward(Stream&, ConstView x, ConstView gamma, ConstView beta,
                                        View y, View stats) {
  const std::int64_t d = x.cols();
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const float* in = x.row<float>(i);
    const RowStats of = stats_of(in, d);
    normalize(in, of, gamma.as<float>(), beta.as<float>(), d, y.row<float>(i));
    stats.row<float>(i)[0] = of.mean;
    stats.row<float>(i)[1] = of.scale;
  }
}

WEFT_CPU_CLONES void layer_norm_backward(Stream&, ConstView dy, ConstView x, ConstView stats,
                                         ConstView gamma, View dx, View d_gamma, View d_beta) {
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const RowStats of{stats.row<float>(i)[0], stats.row<float>(i)[1]};
    normalize_backward(dy.row<float>(i), x.row<float>(i), of, gamma.as<float>(), x.cols(),
                       dx.row<float>(i), d_gamma.as<float>(), d_beta.as<float>());
  }
}

const KernelRegistration<LayerNormForward> forward_kernel{DeviceKind::cpu, layer_norm_forward};
const KernelRegistration<LayerNormBackward> backward_kernel{DeviceKind::cpu, layer_norm_backward};

}  // namespace

}  // namespace weft
