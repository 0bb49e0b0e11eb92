// The products of a layer on the tile unit: weights are packed once, rows strip by strip.
#include <utility>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/amx.h"
#include "framework/backends/cpu/gemm/layer_products.h"
#include "framework/backends/cpu/gemm/packed_weights.h"
#include "framework/backends/cpu/gemm/product.h"
#include "framework/backends/cpu/gemm/tile_strip.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AMX
namespace {

// Rows of x as a left factor, or, with the rows as depth, as a right one. Rows whose parts do not
// begin where tiles may are written out first.
GatheredFactor tile_rows(const WideRows& x, std::int64_t first, std::int64_t count, bool is_left) {
  const std::int64_t lines = is_left ? count : x.length(), depth = is_left ? x.length() : count;
  if (x.seen != nullptr && x.width % kTileDepth == 0 && x.are_plain()) {
    return {
        {x.numbers(), x.stride, is_left, lines, depth, x.seen + first * x.parts, x.parts, x.width}};
  }
  LyingRows rows = lying_rows(x, first, count);
  return {{rows.data, rows.stride, is_left, lines, depth}, std::move(rows.gathered)};
}

// Weights in strips.
class TileWeights {
 public:
  TileWeights(const Factor& weights, const WorkSharing& sharing)
      : columns_(weights.lines),
        depth_(weights.depth),
        packed_(packed_weights(weights, tile_packing(weights), sharing)),
        strips_(static_cast<const std::uint32_t*>(packed_.data)) {}

  // c (count, columns) = a strip of rows times the weights, and the bias if there is one.
  void multiply_rows(const Factor& rows, const float* bias, float* c) const {
    const std::int64_t steps = steps_of(depth_), strip = steps * kStepWords;
    const ScratchArray<std::uint32_t> left(ScratchUse::left, strip);
    pack_strip(rows, 0, 0, depth_, TileRows::lines, left);
    const Tiles tiles;
    for (std::int64_t j = 0; j < columns_; j += kStripLines) {
      multiply_strips(
          left, strips_ + j / kStripLines * strip, steps,
          {c + j, columns_, rows.lines, columns_ - j, bias == nullptr ? Start::zero : Start::bias,
           bias == nullptr ? nullptr : bias + j});
    }
  }

 private:
  std::int64_t columns_, depth_;
  PackedFactor packed_;
  const std::uint32_t* strips_;
};

class TileForward final : public ForwardProducts {
 public:
  TileForward(const LayerFactors& factors, const WorkSharing& sharing)
      : f_(factors), weights_(forward_weights(factors), sharing) {}

  std::int64_t strip() const override { return kStripLines; }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    weights_.multiply_rows(tile_rows(f_.x, first, count, true).factor, f_.shift, z);
  }

 private:
  LayerFactors f_;
  TileWeights weights_;
};

class TileBackward final : public BackwardProducts {
 public:
  TileBackward(const LayerFactors& factors, const WorkSharing& sharing)
      : f_(factors), inputs_(f_.x.length()), weights_(backward_weights(factors), sharing) {}

  std::int64_t strip() const override { return kStripLines; }

  void begin_chunk(std::int64_t first, std::int64_t count) override {
    first_ = first;
    steps_ = steps_of(count);
    const std::int64_t outputs = strips_of(f_.outputs), inputs = strips_of(inputs_);
    chunk_dz_ = {};  // first, so that both are not held at the same time
    chunk_dz_ = ScratchArray<std::uint32_t>(ScratchUse::gradients,
                                            (outputs + inputs) * steps_ * kStepWords);
    chunk_x_ = chunk_dz_ + outputs * steps_ * kStepWords;
  }

  void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) override {
    const ScratchArray<float> dz(ScratchUse::sums, kStripLines * f_.outputs);
    spread_to_winners(f_, first, count, d, dz);
    weights_.multiply_rows({dz, f_.outputs, true, count, f_.outputs}, nullptr, dx);
    const std::int64_t step = (first - first_) / kTileDepth;
    pack_step({dz, f_.outputs, false, f_.outputs, count}, TileRows::lines, step, chunk_dz_);
    pack_step(tile_rows(f_.x, first, count, false).factor, TileRows::pairs, step, chunk_x_);
  }

  std::int64_t gradient_parts() const override { return strips_of(f_.outputs); }

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
  // One step of all strips of a factor of the chunk.
  void pack_step(const Factor& factor, TileRows rows, std::int64_t step, std::uint32_t* to) const {
    to += step * kStepWords;
    for (std::int64_t line = 0; line < factor.lines; line += kStripLines) {
      pack_strip(factor, line, 0, kTileDepth, rows, to + line / kStripLines * steps_ * kStepWords);
    }
  }

  LayerFactors f_;
  std::int64_t inputs_;
  TileWeights weights_;
  // Of the chunk: strips of dz^T and of x^T.
  std::int64_t first_ = 0, steps_ = 0;
  ScratchArray<std::uint32_t> chunk_dz_;
  std::uint32_t* chunk_x_ = nullptr;  // behind it
};

}  // namespace

std::unique_ptr<ForwardProducts> tile_forward(const LayerFactors& factors,
                                              const WorkSharing& sharing) {
  return std::make_unique<TileForward>(factors, sharing);
}

std::unique_ptr<BackwardProducts> tile_backward(const LayerFactors& factors,
                                                const WorkSharing& sharing) {
  return std::make_unique<TileBackward>(factors, sharing);
}

#else

std::unique_ptr<ForwardProducts> tile_forward(const LayerFactors& factors, const WorkSharing&) {
  return plain_forward(factors);
}

std::unique_ptr<BackwardProducts> tile_backward(const LayerFactors& factors, const WorkSharing&) {
  return plain_backward(factors);
}

#endif

}  // namespace weft::cpu
