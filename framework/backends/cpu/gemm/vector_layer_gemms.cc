// The GEMMs of a layer on the vector unit: weights are packed once, rows are taken as they lie.
#include <algorithm>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/dense_backward.h"
#include "framework/backends/cpu/gemm/packed_weights.h"
#include "framework/backends/cpu/gemm/vector_panel.h"

namespace weft::cpu {

namespace {

// Rows and their results stay in the second cache beside a panel, which all of them pass.
constexpr std::int64_t kBlockRows = 48;
// Layers of fewer rows are one block; others are cut at multiples of a step.
constexpr std::int64_t kFewestRows = 32, kRowStep = 4;
// Rows that a part of the gradient is summed over at once: their part of a panel stays in the first
// cache.
constexpr std::int64_t kRowsOfSum = 96;

// Weights in panels.
class VectorWeights {
 public:
  VectorWeights(const VectorUnit& unit, const Factor& weights, const WorkSharing& sharing)
      : unit_(unit),
        columns_(weights.lines),
        depth_(weights.depth),
        packed_(packed_weights(weights, vector_packing(unit, weights), sharing)),
        panels_(static_cast<const float*>(packed_.data)) {}

  // c (count, columns) = rows times the weights, and the bias if there is one.
  void multiply_rows(const StridedRows& rows, std::int64_t count, const float* bias,
                     float* c) const {
    for (std::int64_t j = 0; j < columns_; j += unit_.columns) {
      unit_.multiply({.a = rows.data,
                      .a_stride = rows.stride,
                      .rows = count,
                      .depth = depth_,
                      .panel = panels_ + j * depth_,
                      .start = bias == nullptr ? nullptr : bias + j,
                      .c = c + j,
                      .c_stride = columns_,
                      .columns = std::min(unit_.columns, columns_ - j)});
    }
  }

 private:
  const VectorUnit& unit_;
  std::int64_t columns_, depth_;
  PackedFactor packed_;
  const float* panels_;
};

class VectorForward final : public ForwardGemms {
 public:
  VectorForward(const VectorUnit& unit, const LayerFactors& factors, std::int64_t rows,
                const WorkSharing& sharing)
      : f_(factors), rows_(rows), weights_(unit, forward_weights(factors), sharing) {}

  // An even number of blocks with about as many rows each, so that two threads end together where
  // there are a few blocks only.
  std::vector<RowRange> blocks() const override {
    std::int64_t size = kBlockRows;
    if (rows_ >= kFewestRows) {
      const std::int64_t blocks = (rows_ + 2 * kBlockRows - 1) / (2 * kBlockRows) * 2;
      size = ((rows_ + blocks - 1) / blocks + kRowStep - 1) / kRowStep * kRowStep;
    }
    return RowBlocks{{0, rows_}, size}.list();
  }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    weights_.multiply_rows(strided_rows(f_.x, first, count), count, f_.bias, z);
  }

 private:
  LayerFactors f_;
  std::int64_t rows_;
  VectorWeights weights_;
};

class VectorBackward final : public DenseBackward {
 public:
  VectorBackward(const VectorUnit& unit, const LayerFactors& factors, const WorkSharing& sharing)
      : DenseBackward(factors),
        unit_(unit),
        inputs_(f_.x.length()),
        weights_(unit, backward_weights(factors), sharing) {}

  void begin_chunk(std::int64_t first, std::int64_t count) override {
    DenseBackward::begin_chunk(first, count);
    x_ = {};  // first, so that both are not held at the same time
    x_ = rows_as_depth(f_.x, first, count);
  }

  std::int64_t block_rows() const override { return kBlockRows; }

  void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) override {
    weights_.multiply_rows({spread(first, count, d), f_.outputs}, count, nullptr, dx);
  }

  std::int64_t gradient_parts() const override { return unit_.panels(inputs_); }

  // A panel of the columns of d_w.
  void add_gradient(std::int64_t part, float* d_w, bool is_uninitialised) const override {
    const std::int64_t column = part * unit_.columns;
    const ScratchArray<float> panel(ScratchUse::left, kRowsOfSum * unit_.columns);
    // One thread sums all rows of a part, slice by slice in order: the sum has the same bytes on
    // any number of threads.
    for (std::int64_t row = 0; row < count_; row += kRowsOfSum) {
      const std::int64_t rows = std::min(kRowsOfSum, count_ - row);
      pack_panel(x_.factor, column, unit_.columns, row, rows, panel);
      unit_.multiply({.a = dz_ + row * f_.outputs,
                      .a_stride = f_.outputs,
                      .transpose_a = true,
                      .rows = f_.outputs,
                      .depth = rows,
                      .panel = panel,
                      .start = is_uninitialised && row == 0 ? nullptr : d_w + column,
                      .start_stride = inputs_,
                      .c = d_w + column,
                      .c_stride = inputs_,
                      .columns = std::min(unit_.columns, inputs_ - column)});
    }
  }

 private:
  const VectorUnit& unit_;
  std::int64_t inputs_;
  VectorWeights weights_;
  GatheredFactor x_;  // of the chunk
};

}  // namespace

std::unique_ptr<ForwardGemms> vector_forward(const VectorUnit& unit, const LayerFactors& factors,
                                             std::int64_t rows, const WorkSharing& sharing) {
  return std::make_unique<VectorForward>(unit, factors, rows, sharing);
}

std::unique_ptr<BackwardGemms> vector_backward(const VectorUnit& unit, const LayerFactors& factors,
                                               const WorkSharing& sharing) {
  return std::make_unique<VectorBackward>(unit, factors, sharing);
}

}  // namespace weft::cpu
