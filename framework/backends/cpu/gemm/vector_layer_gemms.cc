// The GEMMs of a layer on the vector unit: rows are taken as they lie; weights are packed once, or,
// for few rows, panel by panel.
#include <algorithm>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/dense_backward.h"
#include "framework/backends/cpu/gemm/vector_panel.h"
#include "framework/backends/cpu/gemm/vector_weights.h"

namespace weft::cpu {

namespace {

// Rows and their results stay in the second cache beside a panel, which all of them pass.
constexpr std::int64_t kBlockRows = 48;
// Layers of fewer rows are one block; others are cut at multiples of a step.
constexpr std::int64_t kFewestRows = 32, kRowStep = 4;
// Rows that a part of the gradient is summed over at once: their part of a panel stays in the first
// cache.
constexpr std::int64_t kRowsOfSum = 96;

// c (rows, columns) = rows times a panel of the weights, and the bias if there is one.
struct PanelRows {
  const StridedRows& rows;
  std::int64_t count;
  const float* bias;  // of all columns
  float* c;
  std::int64_t columns;  // of c, and of all panels
};
void multiply_by_panels(const VectorUnit& unit, const VectorWeights& weights, std::int64_t depth,
                        const PanelRows& of) {
  weights.use_panels([&](std::int64_t i, const float* panel) {
    const std::int64_t j = i * unit.columns;
    unit.multiply({.a = of.rows.data,
                   .a_stride = of.rows.stride,
                   .rows = of.count,
                   .depth = depth,
                   .panel = panel,
                   .start = of.bias == nullptr ? nullptr : of.bias + j,
                   .c = of.c + j,
                   .c_stride = of.columns,
                   .columns = std::min(unit.columns, of.columns - j)});
  });
}

class VectorForward final : public ForwardGemms {
 public:
  VectorForward(const VectorUnit& unit, const LayerFactors& factors, std::int64_t rows,
                const WorkSharing& sharing)
      : unit_(unit),
        f_(factors),
        rows_(rows),
        weights_(forward_weights(factors), vector_packing(unit, forward_weights(factors)),
                 goes_by_columns(rows, sharing), sharing) {}

  // In pairs, of a step's multiples. Where the weights go by all rows are one.
  std::vector<RowRange> blocks() const override {
    std::int64_t size = kBlockRows;
    if (weights_.go_by()) {
      size = std::max<std::int64_t>(1, rows_);
    } else if (rows_ >= kFewestRows) {
      size = (size_of_pairs(rows_, kBlockRows) + kRowStep - 1) / kRowStep * kRowStep;
    }
    return RowBlocks{{0, rows_}, size}.list();
  }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    const StridedRows rows = strided_rows(f_.x, first, count);
    multiply_by_panels(unit_, weights_, f_.x.length(), {rows, count, f_.bias, z, f_.outputs});
  }

 private:
  const VectorUnit& unit_;
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
        weights_(backward_weights(factors), vector_packing(unit, backward_weights(factors)), false,
                 sharing) {}

  void begin_chunk(std::int64_t first, std::int64_t count) override {
    DenseBackward::begin_chunk(first, count);
    x_ = {};  // first, so that both are not held at the same time
    x_ = rows_as_depth(f_.x, first, count);
  }

  std::int64_t block_rows() const override { return kBlockRows; }

  void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) override {
    const StridedRows rows{spread(first, count, d), f_.outputs};
    multiply_by_panels(unit_, weights_, f_.outputs, {rows, count, nullptr, dx, inputs_});
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
