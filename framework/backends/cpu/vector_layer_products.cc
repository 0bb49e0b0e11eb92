// The products of a layer on the vector unit: weights are packed once, rows are taken as they lie.
#include <algorithm>

#include "framework/backends/cpu/chunk_products.h"
#include "framework/backends/cpu/kept_memory.h"
#include "framework/backends/cpu/packed_weights.h"
#include "framework/backends/cpu/vector_panel.h"

namespace weft::cpu {

namespace {

// Rows and their results stay in the second cache beside a panel, which all of them pass.
constexpr std::int64_t kStrip = 48;
// Rows that a part of the gradient is summed over at once: what they hold of a panel stays in the
// first cache.
constexpr std::int64_t kRowsOfSum = 96;

class VectorProducts final : public ChunkProducts {
 public:
  VectorProducts(const VectorUnit& unit, const LayerFactors& factors, Way way,
                 const WorkSharing& sharing)
      : ChunkProducts(factors), unit_(unit), inputs_(f_.x.length()) {
    const Factor weights = weights_of(f_, way);
    weights_ =
        static_cast<const float*>(packed_weights(weights, vector_packing(unit_, weights), sharing));
  }

  std::int64_t strip() const override { return kStrip; }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    const Rows x = rows(first, count);
    multiply_rows(x.data, x.stride, inputs_, f_.outputs, count, f_.shift, z);
  }

  void backward(std::int64_t first, std::int64_t count, float* dx) const override {
    multiply_rows(dz_of(first), f_.outputs, f_.outputs, inputs_, count, nullptr, dx);
  }

  std::int64_t gradient_parts() const override { return unit_.panels(inputs_); }

  // A panel of the columns of d_w.
  void add_gradient(std::int64_t part, float* d_w, bool is_fresh) const override {
    const std::int64_t column = part * unit_.columns;
    const Factor x{f_.x.data + (f_.x.seen == nullptr ? first_ * f_.x.stride : 0),
                   f_.x.stride,
                   false,
                   inputs_,
                   count_,
                   f_.x.seen == nullptr ? nullptr : f_.x.seen + first_ * f_.x.parts,
                   f_.x.parts,
                   f_.x.width};
    auto* panel = kept_array<float>(Kept::left, kRowsOfSum * unit_.columns);
    for (std::int64_t row = 0; row < count_; row += kRowsOfSum) {
      const std::int64_t rows = std::min(kRowsOfSum, count_ - row);
      pack_panel(x, column, unit_.columns, row, rows, panel);
      unit_.multiply({.a = dz_ + row * f_.outputs,
                      .a_stride = f_.outputs,
                      .transpose_a = true,
                      .rows = f_.outputs,
                      .depth = rows,
                      .panel = panel,
                      .start = is_fresh && row == 0 ? nullptr : d_w + column,
                      .start_stride = inputs_,
                      .c = d_w + column,
                      .c_stride = inputs_,
                      .columns = std::min(unit_.columns, inputs_ - column)});
    }
  }

 private:
  // c (count, columns) = rows of so many numbers times the weights.
  void multiply_rows(const float* rows, std::int64_t stride, std::int64_t depth,
                     std::int64_t columns, std::int64_t count, const float* bias, float* c) const {
    for (std::int64_t j = 0; j < columns; j += unit_.columns) {
      unit_.multiply({.a = rows,
                      .a_stride = stride,
                      .rows = count,
                      .depth = depth,
                      .panel = weights_ + j * depth,
                      .start = bias == nullptr ? nullptr : bias + j,
                      .c = c + j,
                      .c_stride = columns,
                      .columns = std::min(unit_.columns, columns - j)});
    }
  }

  const VectorUnit& unit_;
  std::int64_t inputs_;
  const float* weights_;
};

}  // namespace

std::unique_ptr<LayerProducts> vector_layer_products(const VectorUnit& unit,
                                                     const LayerFactors& factors, Way way,
                                                     const WorkSharing& sharing) {
  return std::make_unique<VectorProducts>(unit, factors, way, sharing);
}

}  // namespace weft::cpu
