// The products of a layer on the tile unit: weights are packed once, rows strip by strip.
#include "framework/backends/cpu/amx.h"
#include "framework/backends/cpu/kept_memory.h"
#include "framework/backends/cpu/layer_products.h"
#include "framework/backends/cpu/packed_weights.h"
#include "framework/backends/cpu/product.h"
#include "framework/backends/cpu/tile_strip.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AMX
namespace {

class TileProducts final : public LayerProducts {
 public:
  TileProducts(const LayerFactors& factors, Way way, const WorkSharing& sharing)
      : f_(factors), inputs_(f_.x.length()) {
    const Factor weights = weights_of(f_, way);
    weights_ =
        static_cast<const std::uint32_t*>(packed_weights(weights, tile_packing(weights), sharing));
  }

  std::int64_t strip() const override { return kStripLines; }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    auto* left = kept_array<std::uint32_t>(Kept::left, steps_of(inputs_) * kStepWords);
    pack_strip(rows(first, count, true), 0, 0, inputs_, TileRows::lines, left);
    multiply_rows(left, inputs_, f_.outputs, count, f_.shift, z);
  }

  void begin_chunk(std::int64_t first, std::int64_t count) override {
    first_ = first;
    steps_ = steps_of(count);
    const std::int64_t outputs = cpu::strips_of(f_.outputs), inputs = cpu::strips_of(inputs_);
    chunk_dz_ =
        kept_array<std::uint32_t>(Kept::gradients, (outputs + inputs) * steps_ * kStepWords);
    chunk_x_ = chunk_dz_ + outputs * steps_ * kStepWords;
  }

  float* dz_of(std::int64_t) const override {
    return kept_array<float>(Kept::sums, kStripLines * f_.outputs);
  }

  void backward(std::int64_t first, std::int64_t count, float* dx) const override {
    const float* dz = dz_of(first);
    auto* left = kept_array<std::uint32_t>(Kept::left, steps_of(f_.outputs) * kStepWords);
    pack_strip({dz, f_.outputs, true, count, f_.outputs}, 0, 0, f_.outputs, TileRows::lines, left);
    multiply_rows(left, f_.outputs, inputs_, count, nullptr, dx);
    const std::int64_t step = (first - first_) / kTileDepth;
    pack_step({dz, f_.outputs, false, f_.outputs, count}, TileRows::lines, step, chunk_dz_);
    pack_step(rows(first, count, false), TileRows::pairs, step, chunk_x_);
  }

  std::int64_t gradient_parts() const override { return cpu::strips_of(f_.outputs); }

  void add_gradient(std::int64_t part, float* d_w, bool is_fresh) const override {
    const Tiles tiles;
    const std::int64_t strip = steps_ * kStepWords, first = part * kStripLines;
    for (std::int64_t j = 0; j < inputs_; j += kStripLines) {
      multiply_strips(chunk_dz_ + part * strip, chunk_x_ + j / kStripLines * strip, steps_,
                      {d_w + first * inputs_ + j, inputs_, f_.outputs - first, inputs_ - j,
                       is_fresh ? Start::zero : Start::sums, nullptr});
    }
  }

 private:
  // Rows of x as a left factor, or, with the rows as depth, as a right one. Rows whose parts do not
  // begin where tiles may are written out first.
  Factor rows(std::int64_t first, std::int64_t count, bool is_left) const {
    const std::int64_t lines = is_left ? count : inputs_, depth = is_left ? inputs_ : count;
    if (f_.x.seen == nullptr) {
      return {f_.x.data + first * f_.x.stride, f_.x.stride, is_left, lines, depth};
    }
    if (f_.x.width % kTileDepth == 0) {
      return {f_.x.data,  f_.x.stride, is_left, lines, depth, f_.x.seen + first * f_.x.parts,
              f_.x.parts, f_.x.width};
    }
    auto* gathered = kept_array<float>(Kept::rows, count * inputs_);
    gather_wide_rows(f_.x, first, count, gathered);
    return {gathered, inputs_, is_left, lines, depth};
  }

  // c (count, columns) = a packed strip times the weights.
  void multiply_rows(const std::uint32_t* left, std::int64_t depth, std::int64_t columns,
                     std::int64_t count, const float* bias, float* c) const {
    const Tiles tiles;
    const std::int64_t steps = steps_of(depth), strip = steps * kStepWords;
    for (std::int64_t j = 0; j < columns; j += kStripLines) {
      multiply_strips(
          left, weights_ + j / kStripLines * strip, steps,
          {c + j, columns, count, columns - j, bias == nullptr ? Start::zero : Start::bias,
           bias == nullptr ? nullptr : bias + j});
    }
  }

  // One step of all strips of a factor of the chunk.
  void pack_step(const Factor& factor, TileRows rows, std::int64_t step, std::uint32_t* to) const {
    to += step * kStepWords;
    for (std::int64_t line = 0; line < factor.lines; line += kStripLines) {
      pack_strip(factor, line, 0, kTileDepth, rows, to + line / kStripLines * steps_ * kStepWords);
    }
  }

  LayerFactors f_;
  std::int64_t inputs_;
  const std::uint32_t* weights_;
  // Of the chunk: strips of dz^T and of x^T.
  std::int64_t first_ = 0, steps_ = 0;
  std::uint32_t *chunk_dz_ = nullptr, *chunk_x_ = nullptr;
};

}  // namespace

std::unique_ptr<LayerProducts> tile_layer_products(const LayerFactors& factors, Way way,
                                                   const WorkSharing& sharing) {
  return std::make_unique<TileProducts>(factors, way, sharing);
}

#else

std::unique_ptr<LayerProducts> tile_layer_products(const LayerFactors& factors, Way,
                                                   const WorkSharing&) {
  return plain_layer_products(factors);
}

#endif

}  // namespace weft::cpu
