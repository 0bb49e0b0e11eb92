// A layer of windows, an affine map, maxout, layer norm, dropout and a residual connection: the
// GEMMs are the library's, all before and behind them is one kernel each. Numbers are f32.
#include <cmath>

#include "framework/backends/cuda/column_sums.h"
#include "framework/backends/cuda/device_gemm.h"
#include "framework/backends/cuda/row_lanes.h"
#include "framework/ops/dropout.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout_block.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

// The rows of x that rows of the layer see; null: each sees the one of its own number alone.
struct Windows {
  const std::int32_t* seen;
  std::int64_t columns;  // odd: the middle one is the row itself

  WEFT_KERNEL std::int64_t own(std::int64_t i) const { return seen[i * columns + columns / 2]; }
};

struct GatheredWindows {
  ConstF32 x;
  F32 rows;
  Windows windows;
  std::uint32_t width;  // of x
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    const auto place = static_cast<std::uint32_t>(j);
    const std::int32_t from = windows.seen[i * windows.columns + place / width];
    rows.store(i, j, from < 0 ? 0.0F : x.load(from, place % width));
  }
};

// The factors of dropout: of a mask that is there, drawn where they are needed, or none.
struct Factors {
  ConstF32 mask;  // null: drawn
  const std::int32_t* place;
  RandomStream random = RandomStream(0, 0, 0);
  std::uint64_t offset = 0;
  std::uint32_t threshold = 0;
  float kept = 1.0F;
  bool drops = false;
  std::int64_t width = 0;

  WEFT_KERNEL float of(std::int64_t i, std::int64_t j) const {
    if (!drops) return 1.0F;
    const std::int64_t row = place == nullptr ? i : place[i];
    if (mask.data != nullptr) return mask.load(row, j);
    const MaskPlace at = mask_place(offset + static_cast<std::uint64_t>(row * width + j));
    return random.block(at.block)[static_cast<std::size_t>(at.word)] >= threshold ? kept : 0.0F;
  }
};

Factors factors_of(const MaxoutBlockLayer& layer, std::int64_t width) {
  Factors factors{layer.mask ? f32(layer.mask) : ConstF32(),
                  layer.place ? layer.place.as<std::int32_t>() : nullptr};
  factors.width = width;
  factors.drops = layer.mask || layer.draws;
  if (!layer.draws) return factors;
  factors.random = layer.draws->random;
  factors.offset = layer.draws->offset;
  factors.threshold = mask_threshold(layer.draws->rate);
  factors.kept = static_cast<float>(1.0 / (1.0 - layer.draws->rate));
  return factors;
}

Windows windows_of(const MaxoutBlockLayer& layer) {
  return {layer.seen ? layer.seen.as<std::int32_t>() : nullptr, layer.seen.cols()};
}

// Numbers of the rows of a block, from one pass over them to the next.
struct BlockRows {
  float* numbers;
  std::int64_t first, width;

  WEFT_KERNEL BlockRows(Block& block, std::int64_t width)
      : numbers(block.shared<float>(RowLanes::kRows * width)),
        first(block.index() * RowLanes::kRows),
        width(width) {}
  WEFT_KERNEL float& at(std::int64_t i, std::int64_t j) const {
    return numbers[(i - first) * width + j];
  }
  static SharedSize shared_size(std::int64_t width) {
    return RowLanes::shared_size(2).add<float>(RowLanes::kRows * width);
  }
};

// From the sums of all pieces to the rows of the output. Sixteen threads have a row, so that its
// numbers depend neither on the other rows nor on their number.
struct Forward {
  ConstF32 z, gamma, beta, x;
  F32 largest, stats, y;
  std::uint8_t* winners;  // null: nothing is kept for a backward pass
  Windows windows;
  Factors factors;
  std::int64_t rows, width;
  int pieces;

  // Of equal pieces the first wins: only a larger one replaces it.
  WEFT_KERNEL float take_largest(std::int64_t i, std::int64_t j) const {
    float best = z.load(i, j * pieces);
    int winner = 0;
    for (int p = 1; p < pieces; ++p) {
      const float value = z.load(i, j * pieces + p);
      winner = value > best ? p : winner;
      best = value > best ? value : best;
    }
    if (winners == nullptr) return best;
    largest.store(i, j, best);
    winners[i * width + j] = static_cast<std::uint8_t>(winner);
    return best;
  }
  WEFT_KERNEL void operator()(Block& block) const {
    const RowLanes lanes(block, rows, width, 2);
    const BlockRows kept(block, width);
    const auto count = static_cast<float>(width);
    lanes.sum(0,
              [&](std::int64_t i, std::int64_t j) { return kept.at(i, j) = take_largest(i, j); });
    // A thread reads what it has written itself from here on.
    lanes.sum(1, [&](std::int64_t i, std::int64_t j) {
      const float distance = kept.at(i, j) - lanes.result(0, i) / count;
      return distance * distance;
    });
    lanes.for_elements([&](std::int64_t i, std::int64_t j, int) {
      const float mean = lanes.result(0, i) / count;
      const float scale = 1.0F / std::sqrt(lanes.result(1, i) / count + kLayerNormEps);
      float value = (kept.at(i, j) - mean) * scale * gamma.load(0, j) + beta.load(0, j);
      value *= factors.of(i, j);
      const std::int64_t own = windows.seen == nullptr ? -1 : windows.own(i);
      y.store(i, j, own < 0 ? value : value + x.load(own, j));
      if (j > 0 || winners == nullptr) return;
      stats.store(i, 0, mean);
      stats.store(i, 1, scale);
    });
  }
};

// Backwards through dropout, layer norm (layer_norm.cu) and maxout.
struct Backward {
  ConstF32 dy, largest, stats, gamma;
  F32 d_normal;  // behind the layer norm
  F32 dz;        // of all pieces
  const std::uint8_t* winners;
  Factors factors;
  std::int64_t rows, width;
  int pieces;

  WEFT_KERNEL float normalised(std::int64_t i, std::int64_t j) const {
    return (largest.load(i, j) - stats.load(i, 0)) * stats.load(i, 1);
  }
  WEFT_KERNEL void operator()(Block& block) const {
    const RowLanes lanes(block, rows, width, 2);
    const BlockRows kept(block, width);
    const auto count = static_cast<float>(width);
    const auto scaled = [&](std::int64_t i, std::int64_t j) {
      return kept.at(i, j) * gamma.load(0, j);
    };
    lanes.sum(0, [&](std::int64_t i, std::int64_t j) {
      kept.at(i, j) = dy.load(i, j) * factors.of(i, j);
      d_normal.store(i, j, kept.at(i, j));
      return scaled(i, j);
    });
    // A thread reads what it has written itself from here on.
    lanes.sum(1, [&](std::int64_t i, std::int64_t j) { return scaled(i, j) * normalised(i, j); });
    lanes.for_elements([&](std::int64_t i, std::int64_t j, int) {
      const float mean_e = lanes.result(0, i) / count, mean_ex = lanes.result(1, i) / count;
      const float d = stats.load(i, 1) * (scaled(i, j) - mean_e - normalised(i, j) * mean_ex);
      const int winner = winners[i * width + j];
      for (int p = 0; p < pieces; ++p) dz.store(i, j * pieces + p, p == winner ? d : 0.0F);
    });
  }
};

// Columns of the parameters whose gradients are sums over rows: gamma, beta, and behind them the
// pieces of the bias.
struct ParameterTerm {
  Backward of;
  WEFT_KERNEL float operator()(std::int64_t i, std::int64_t column) const {
    if (column < of.width) return of.d_normal.load(i, column) * of.normalised(i, column);
    if (column < 2 * of.width) return of.d_normal.load(i, column - of.width);
    return of.dz.load(i, column - 2 * of.width);
  }
};

struct ParameterTotal {
  float *gamma, *beta, *bias;
  std::int64_t width;
  bool adds_gamma, adds_beta, adds_bias;

  WEFT_KERNEL static void put(float& to, bool adds, float sum) { to = adds ? to + sum : sum; }
  WEFT_KERNEL void operator()(std::int64_t column, float sum) const {
    if (column < width) return put(gamma[column], adds_gamma, sum);
    if (column < 2 * width) return put(beta[column - width], adds_beta, sum);
    put(bias[column - 2 * width], adds_bias, sum);
  }
};

// A row of x gets the gradients of the windows that saw it, and that of the output which it was
// added to: in the order of the layer's rows, which is that of the columns from the last to the
// first.
struct SumOfSeen {
  ConstF32 dy, d_rows;
  F32 dx;
  const std::int32_t* seen_by;
  std::int64_t columns, width;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    float sum = 0.0F;
    for (std::int64_t c = columns - 1; c >= 0; --c) {
      const std::int32_t row = seen_by[i * columns + c];
      if (row < 0) continue;
      if (c == columns / 2) sum += dy.load(row, j);
      sum += d_rows.load(row, c * width + j);
    }
    dx.store(i, j, sum);
  }
};

GemmArgs gemm_of(ConstView a, ConstView b, View c) {
  GemmArgs args;
  args.a = a;
  args.b = b;
  args.c = c;
  return args;
}

void check_formats(const MaxoutBlockLayer& layer) {
  if (layer.formats == nullptr) return;
  throw Error(ErrorKind::internal, "blocks of layers on a device follow no policy");
}

void forward(Stream& stream, const MaxoutBlockLayer& layer, const MaxoutBlockForward::Arrays& a) {
  check_formats(layer);
  DeviceStream& queue = device_stream(stream);
  const std::int64_t rows = a.y.rows(), width = a.y.cols();
  const Windows windows = windows_of(layer);
  const std::int64_t inputs = layer.weights.cols();
  const bool keeps = static_cast<bool>(a.rows);
  const Scratch<float> own(queue, layer.seen && !keeps ? rows * inputs : 0);
  View input = keeps ? a.rows : View(own.data(), DType::f32, {rows, inputs});
  if (layer.seen) {
    launch_matrix(
        queue, rows, inputs,
        GatheredWindows{f32(a.x), f32(input), windows, static_cast<std::uint32_t>(a.x.cols())});
  }
  const Scratch<float> sums(queue, rows * layer.weights.rows());
  const View z(sums.data(), DType::f32, {rows, layer.weights.rows()});
  GemmArgs affine = gemm_of(layer.seen ? ConstView(input) : a.x, layer.weights, z);
  affine.transpose_b = true;
  affine.bias = ConstView(layer.bias.data, DType::f32, {layer.weights.rows()});
  run_gemm(queue, affine);
  launch(
      queue, RowLanes::blocks_for(rows), RowLanes::kThreadsOfBlock, BlockRows::shared_size(width),
      Forward{f32(ConstView(z)), f32(layer.gamma), f32(layer.beta), f32(a.x), f32(a.largest),
              f32(a.stats), f32(a.y), a.winners ? a.winners.as<std::uint8_t>() : nullptr, windows,
              factors_of(layer, width), rows, width, static_cast<int>(layer.bias.cols())});
}

void backward(Stream& stream, const MaxoutBlockLayer& layer, const MaxoutBlockGradients& to,
              const MaxoutBlockBackward::Arrays& a) {
  check_formats(layer);
  DeviceStream& queue = device_stream(stream);
  const std::int64_t rows = a.dy.rows(), width = a.dy.cols(), outputs = layer.weights.rows();
  const Scratch<float> normal(queue, rows * width), pieces(queue, rows * outputs);
  const View d_normal(normal.data(), DType::f32, {rows, width}),
      dz(pieces.data(), DType::f32, {rows, outputs});
  const Backward kernel{f32(a.dy),
                        f32(a.largest),
                        f32(a.stats),
                        f32(layer.gamma),
                        f32(d_normal),
                        f32(dz),
                        a.winners.as<std::uint8_t>(),
                        factors_of(layer, width),
                        rows,
                        width,
                        static_cast<int>(layer.bias.cols())};
  launch(queue, RowLanes::blocks_for(rows), RowLanes::kThreadsOfBlock,
         BlockRows::shared_size(width), kernel);
  sum_columns(
      queue, rows, 2 * width + outputs, ParameterTerm{kernel},
      ParameterTotal{to.gamma.as<float>(), to.beta.as<float>(), to.bias.as<float>(), width,
                     !to.uninitialised_gamma, !to.uninitialised_beta, !to.uninitialised_bias});
  const ConstView input = layer.seen ? a.rows : a.x;
  GemmArgs weights = gemm_of(dz, input, to.weights);
  weights.transpose_a = true;
  weights.beta = to.uninitialised_weights ? 0.0F : 1.0F;
  run_gemm(queue, weights);
  if (!layer.seen) return run_gemm(queue, gemm_of(dz, layer.weights, a.dx));
  const Scratch<float> windows(queue, rows * layer.weights.cols());
  const View d_rows(windows.data(), DType::f32, {rows, layer.weights.cols()});
  run_gemm(queue, gemm_of(dz, layer.weights, d_rows));
  launch_matrix(queue, a.dx.rows(), a.dx.cols(),
                SumOfSeen{f32(a.dy), f32(ConstView(d_rows)), f32(a.dx),
                          layer.seen_by.as<std::int32_t>(), layer.seen.cols(), a.dx.cols()});
}

const KernelRegistration<MaxoutBlockForward> forward_kernel{DeviceKind::cuda, forward};
const KernelRegistration<MaxoutBlockBackward> backward_kernel{DeviceKind::cuda, backward};

}  // namespace
}  // namespace weft::cuda
