#include <cmath>

#include "framework/backends/cuda/column_sums.h"
#include "framework/backends/cuda/row_lanes.h"
#include "framework/ops/layer_norm.h"

namespace weft::cuda {
namespace {

struct Forward {
  Floats x, gamma, beta, y, stats;
  std::int64_t rows, width;

  WEFT_KERNEL void operator()(Block& block) const {
    const RowLanes lanes(block, rows, width, 2);
    const auto count = static_cast<float>(width);
    lanes.sum(0, [&](std::int64_t i, std::int64_t j) { return x.load(i, j); });
    // The variance is taken from distances to the mean, in a second pass over the row: the
    // difference of two large sums of squares would lose its digits in f32.
    lanes.sum(1, [&](std::int64_t i, std::int64_t j) {
      const float distance = x.load(i, j) - lanes.result(0, i) / count;
      return distance * distance;
    });
    lanes.for_elements([&](std::int64_t i, std::int64_t j, int) {
      const float mean = lanes.result(0, i) / count;
      const float scale = 1.0F / std::sqrt(lanes.result(1, i) / count + kLayerNormEps);
      y.store(i, j, (x.load(i, j) - mean) * scale * gamma.load(0, j) + beta.load(0, j));
      if (j > 0) return;
      stats.store(i, 0, mean);
      stats.store(i, 1, scale);
    });
  }
};

// Ba, Kiros and Hinton (2016), "Layer normalization". With e = dy gamma and the normalised row n:
// dx = scale (e - mean(e) - n mean(e n)).
struct Backward {
  Floats dy, x, stats, gamma, dx;
  std::int64_t rows, width;

  WEFT_KERNEL float normalised(std::int64_t i, std::int64_t j) const {
    return (x.load(i, j) - stats.load(i, 0)) * stats.load(i, 1);
  }
  WEFT_KERNEL float scaled(std::int64_t i, std::int64_t j) const {
    return dy.load(i, j) * gamma.load(0, j);
  }
  WEFT_KERNEL void operator()(Block& block) const {
    const RowLanes lanes(block, rows, width, 2);
    const auto count = static_cast<float>(width);
    lanes.sum(0, [&](std::int64_t i, std::int64_t j) { return scaled(i, j); });
    lanes.sum(1, [&](std::int64_t i, std::int64_t j) { return scaled(i, j) * normalised(i, j); });
    lanes.for_elements([&](std::int64_t i, std::int64_t j, int) {
      const float mean_e = lanes.result(0, i) / count, mean_ex = lanes.result(1, i) / count;
      dx.store(i, j, stats.load(i, 1) * (scaled(i, j) - mean_e - normalised(i, j) * mean_ex));
    });
  }
};

// The columns of gamma, and behind them those of beta.
struct ParameterTerm {
  Backward of;
  WEFT_KERNEL float operator()(std::int64_t i, std::int64_t column) const {
    const bool is_gain = column < of.width;
    const std::int64_t j = is_gain ? column : column - of.width;
    return is_gain ? of.dy.load(i, j) * of.normalised(i, j) : of.dy.load(i, j);
  }
};

struct ParameterTotal {
  Floats gamma, beta;
  std::int64_t width;
  WEFT_KERNEL void operator()(std::int64_t column, float sum) const {
    const bool is_gain = column < width;
    const std::int64_t j = is_gain ? column : column - width;
    const Floats& to = is_gain ? gamma : beta;
    to.store(0, j, to.load(0, j) + sum);
  }
};

void layer_norm_forward(Stream& stream, ConstView x, ConstView gamma, ConstView beta, View y,
                        View stats) {
  launch(device_stream(stream), RowLanes::blocks_for(x.rows()), RowLanes::kThreadsOfBlock,
         RowLanes::shared_size(2),
         Forward{floats(x), floats(gamma), floats(beta), floats(y), floats(stats), x.rows(),
                 x.cols()});
}

void layer_norm_backward(Stream& stream, ConstView dy, ConstView x, ConstView stats,
                         ConstView gamma, View dx, View d_gamma, View d_beta) {
  DeviceStream& queue = device_stream(stream);
  const Backward backward{floats(dy), floats(x), floats(stats), floats(gamma),
                          floats(dx), x.rows(),  x.cols()};
  launch(queue, RowLanes::blocks_for(x.rows()), RowLanes::kThreadsOfBlock, RowLanes::shared_size(2),
         backward);
  if (x.rows() == 0) return;
  sum_columns(queue, x.rows(), 2 * x.cols(), ParameterTerm{backward},
              ParameterTotal{floats(d_gamma), floats(d_beta), x.cols()});
}

const KernelRegistration<LayerNormForward> forward_kernel{DeviceKind::cuda, layer_norm_forward,
                                                          KernelFormats::any};
const KernelRegistration<LayerNormBackward> backward_kernel{DeviceKind::cuda, layer_norm_backward,
                                                            KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
