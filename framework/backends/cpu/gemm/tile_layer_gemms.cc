// The GEMMs of a layer on the AMX tile unit: weights are packed once and rows go by panel by panel;
// of few rows all are packed, and it is the weights that go by.
#include <algorithm>
#include <optional>
#include <utility>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/amx.h"
#include "framework/backends/cpu/gemm/amx_panel.h"
#include "framework/backends/cpu/gemm/host_gemm.h"
#include "framework/backends/cpu/gemm/layer_gemms.h"
#include "framework/backends/cpu/gemm/tile_weights.h"
#include "framework/precision/element_type.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AMX
namespace {

// Of f32 numbers that hold those of `format`.
Factor plain_factor(NumberFormat format, const float* data, std::int64_t stride,
                    bool depth_contiguous, std::int64_t lines, std::int64_t depth) {
  Factor factor{data, stride, depth_contiguous, lines, depth};
  factor.format = format;
  return factor;
}

// Whether tiles read the elements as they lie in memory, and round them at most once.
bool packs_directly(const WideRows& x) {
  return cpu::packs_directly(x.type, x.factors) &&
         (x.rounded == NumberFormat::f32 || x.rounded == x.factors ||
          x.rounded == format_of(x.type));
}

// Rows of x as a left factor, or, with the rows as depth, as a right one. Rows whose parts do not
// begin where tiles may are written out first.
GatheredFactor tile_rows(const WideRows& x, std::int64_t first, std::int64_t count, bool is_left) {
  if (packs_directly(x) && (x.seen == nullptr || x.width % kTileDepth == 0)) {
    return {rows_in_memory(x, first, count, is_left)};
  }
  const std::int64_t lines = is_left ? count : x.length(), depth = is_left ? x.length() : count;
  StridedRows rows = strided_rows(x, first, count);
  return {plain_factor(x.factors, rows.data, rows.stride, is_left, lines, depth),
          std::move(rows.gathered)};
}

class TileForward final : public ForwardGemms {
 public:
  TileForward(const LayerFactors& factors, std::int64_t rows, const WorkSharing& sharing)
      : f_(factors),
        rows_(rows),
        tasks_(sharing.tasks),
        columns_(forward_weights(factors), tasks_) {
    if (!goes_by_columns(rows, sharing)) weights_.emplace(forward_weights(factors), sharing);
  }

  std::vector<RowRange> blocks() const override {
    const std::int64_t size = weights_ ? kPanelLines : std::max<std::int64_t>(1, rows_);
    return RowBlocks{{0, rows_}, size}.list();
  }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    if (weights_) {
      return weights_->multiply_rows(tile_rows(f_.x, first, count, true).factor, f_.bias, z);
    }
    const ScratchArray<std::uint32_t> left(ScratchUse::left,
                                           panels_of(count) * columns_.panel_words());
    run_tasks(tasks_, static_cast<std::size_t>(panels_of(count)), [&](std::size_t i) {
      const auto panel = static_cast<std::int64_t>(i), row = panel * kPanelLines;
      const std::int64_t rows = std::min(kPanelLines, count - row);
      columns_.pack_rows(tile_rows(f_.x, first + row, rows, true).factor, panel, left);
    });
    columns_.multiply(left, count, f_.bias, z);
  }

 private:
  LayerFactors f_;
  std::int64_t rows_;
  const TaskRunner* tasks_;
  TileColumns columns_;
  std::optional<TileWeights> weights_;
};

class TileBackward final : public BackwardGemms {
 public:
  TileBackward(const LayerFactors& factors, std::int64_t rows, const WorkSharing& sharing)
      : f_(factors),
        inputs_(f_.x.length()),
        step_words_(step_words(f_.x.factors)),
        columns_(backward_weights(factors), sharing.tasks) {
    if (!goes_by_columns(rows, sharing)) weights_.emplace(backward_weights(factors), sharing);
  }

  std::int64_t block_rows() const override { return kPanelLines; }

  void begin_chunk(std::int64_t first, std::int64_t count) override {
    first_ = first;
    count_ = count;
    steps_ = steps_of(count);
    const std::int64_t outputs = panels_of(f_.outputs), inputs = panels_of(inputs_);
    chunk_dz_ = {};  // first, so that both are not held at the same time
    chunk_dz_ = ScratchArray<std::uint32_t>(ScratchUse::gradients,
                                            (outputs + inputs) * steps_ * step_words_);
    chunk_x_ = chunk_dz_ + outputs * steps_ * step_words_;
    left_ = {};
    if (!weights_) {
      left_ =
          ScratchArray<std::uint32_t>(ScratchUse::left, panels_of(count) * columns_.panel_words());
    }
  }

  void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) override {
    // A block is one panel of 32 rows, which is also one step of the depth of d_w += dz^T x. So a
    // block packs its own step of both factors while its rows are in the first cache, and blocks on
    // other threads write other steps.
    const ScratchArray<float> dz(ScratchUse::sums, kPanelLines * f_.outputs);
    spread_to_winners(f_, first, count, d, dz);
    const NumberFormat format = f_.x.factors;
    const Factor rows = plain_factor(format, dz, f_.outputs, true, count, f_.outputs);
    const std::int64_t step = (first - first_) / kTileDepth;
    if (weights_) {
      weights_->multiply_rows(rows, nullptr, dx);
    } else {
      columns_.pack_rows(rows, step, left_);
    }
    pack_step(plain_factor(format, dz, f_.outputs, false, f_.outputs, count), TileRows::lines, step,
              chunk_dz_);
    pack_step(tile_rows(f_.x, first, count, false).factor, TileRows::pairs, step, chunk_x_);
  }

  bool ends_with_rows() const override { return !weights_; }
  void end_chunk(float* dx) override { columns_.multiply(left_, count_, nullptr, dx); }

  std::int64_t gradient_parts() const override { return panels_of(f_.outputs); }

  // A part is a panel of outputs, whose sums take up the steps of the chunk in order: the bytes do
  // not depend on the thread that runs it or on the order of the blocks.
  void add_gradient(std::int64_t part, float* d_w, bool is_uninitialised) const override {
    const Tiles tiles;
    const std::int64_t panel_words = steps_ * step_words_, first = part * kPanelLines;
    for (std::int64_t j = 0; j < inputs_; j += kPanelLines) {
      multiply_panels(f_.x.factors, chunk_dz_ + part * panel_words,
                      chunk_x_ + j / kPanelLines * panel_words, steps_,
                      {d_w + first * inputs_ + j, inputs_, f_.outputs - first, inputs_ - j,
                       is_uninitialised ? Start::zero : Start::sums, nullptr});
    }
  }

 private:
  // One step of all panels of a factor of the chunk.
  void pack_step(const Factor& factor, TileRows rows, std::int64_t step, std::uint32_t* to) const {
    to += step * step_words_;
    for (std::int64_t line = 0; line < factor.lines; line += kPanelLines) {
      pack_tile_panel(factor, line, 0, kTileDepth, rows,
                      to + line / kPanelLines * steps_ * step_words_);
    }
  }

  LayerFactors f_;
  std::int64_t inputs_, step_words_;
  TileColumns columns_;
  std::optional<TileWeights> weights_;
  // Of the chunk: panels of dz^T and of x^T, and of dz where the weights go by.
  std::int64_t first_ = 0, count_ = 0, steps_ = 0;
  ScratchArray<std::uint32_t> chunk_dz_, left_;
  std::uint32_t* chunk_x_ = nullptr;  // behind it
};

}  // namespace

std::unique_ptr<ForwardGemms> tile_forward(const LayerFactors& factors, std::int64_t rows,
                                           const WorkSharing& sharing) {
  return std::make_unique<TileForward>(factors, rows, sharing);
}

std::unique_ptr<BackwardGemms> tile_backward(const LayerFactors& factors, std::int64_t rows,
                                             const WorkSharing& sharing) {
  return std::make_unique<TileBackward>(factors, rows, sharing);
}

#else

std::unique_ptr<ForwardGemms> tile_forward(const LayerFactors& factors, std::int64_t rows,
                                           const WorkSharing&) {
  return plain_forward(factors, rows);
}

std::unique_ptr<BackwardGemms> tile_backward(const LayerFactors& factors, std::int64_t,
                                             const WorkSharing&) {
  return plain_backward(factors);
}

#endif

}  // namespace weft::cpu
