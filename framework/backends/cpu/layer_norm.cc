#include "framework/ops/layer_norm.h"

#include <cmath>

#include "framework/backends/cpu/clones.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

WEFT_CPU_CLONES void layer_norm_forward(Stream&, ConstView x, ConstView gain, ConstView bias,
                                        View y, View stats) {
  const std::int64_t d = x.cols();
  const auto width = static_cast<float>(d);
  const float* g = gain.as<float>();
  const float* b = bias.as<float>();
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const float* in = x.row<float>(i);
    float* out = y.row<float>(i);
    const float mean = sum_of(d, [=](std::ptrdiff_t j) { return in[j]; }) / width;
    const float variance =
        sum_of(d, [=](std::ptrdiff_t j) { return (in[j] - mean) * (in[j] - mean); }) / width;
    const float scale = 1.0F / std::sqrt(variance + kLayerNormEps);
    for (std::int64_t j = 0; j < d; ++j) out[j] = (in[j] - mean) * scale * g[j] + b[j];
    stats.row<float>(i)[0] = mean;
    stats.row<float>(i)[1] = scale;
  }
}

WEFT_CPU_CLONES void layer_norm_backward(Stream&, ConstView dy, ConstView x, ConstView stats,
                                         ConstView gain, View dx, View d_gain, View d_bias) {
  const std::int64_t d = x.cols();
  const auto width = static_cast<float>(d);
  const float* g = gain.as<float>();
  float* __restrict dg = d_gain.as<float>();
  float* __restrict db = d_bias.as<float>();
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const float* __restrict in = x.row<float>(i);
    const float* __restrict from = dy.row<float>(i);
    float* __restrict out = dx.row<float>(i);
    const float mean = stats.row<float>(i)[0];
    const float scale = stats.row<float>(i)[1];
    for (std::int64_t j = 0; j < d; ++j) {
      dg[j] += from[j] * ((in[j] - mean) * scale);
      db[j] += from[j];
    }
    const float mean_e = sum_of(d, [=](std::ptrdiff_t j) { return from[j] * g[j]; }) / width;
    const float mean_ex =
        sum_of(d, [=](std::ptrdiff_t j) { return from[j] * g[j] * ((in[j] - mean) * scale); }) /
        width;
    for (std::int64_t j = 0; j < d; ++j) {
      out[j] = scale * (from[j] * g[j] - mean_e - (in[j] - mean) * scale * mean_ex);
    }
  }
}

const KernelRegistration<LayerNormForward> forward_kernel{DeviceKind::cpu, layer_norm_forward};
const KernelRegistration<LayerNormBackward> backward_kernel{DeviceKind::cpu, layer_norm_backward};

}  // namespace

}  // namespace weft
