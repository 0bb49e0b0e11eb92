#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/layer_norm_row.h"
#include "framework/backends/cpu/maxout_block_rows.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

using Arrays = MaxoutBlockBackward::Arrays;

// Sums over rows that go to the gradients of bias, gamma and beta: one behind the other for each
// block, so that blocks run on any thread, or for all rows in order. Those of the bias (o, p)
// stand piece by piece, so that a row is added in vectors.
class BlockSums {
 public:
  BlockSums(const MaxoutBlockGradients& to, bool in_order) : to_(to), in_order_(in_order) {
    if (in_order) sums_.resize(size());
  }

  void begin(std::size_t blocks) {
    if (!in_order_) sums_.assign(blocks * size(), 0.0F);
  }
  float* bias(std::size_t block) { return sums_.data() + (in_order_ ? 0 : block * size()); }
  float* gamma(std::size_t block) { return bias(block) + to_.bias.size(); }
  float* beta(std::size_t block) { return gamma(block) + to_.gamma.size(); }

  // Once all blocks that have begun are there; once all rows are.
  void end(std::size_t blocks) {
    for (std::size_t i = 0; !in_order_ && i < blocks; ++i) add(i);
  }
  void finish() {
    if (in_order_) add(0);
  }

 private:
  std::size_t size() const {
    return static_cast<std::size_t>(to_.bias.size() + to_.gamma.size() + to_.beta.size());
  }
  void add(std::size_t block) {
    const std::int64_t width = to_.bias.rows(), pieces = to_.bias.cols();
    auto* to = to_.bias.as<float>();
    for (std::int64_t i = 0; i < width * pieces; ++i) {
      to[i] += bias(block)[i % pieces * width + i / pieces];
    }
    add_to(to_.gamma.as<float>(), gamma(block), to_.gamma.size());
    add_to(to_.beta.as<float>(), beta(block), to_.beta.size());
  }

  MaxoutBlockGradients to_;
  bool in_order_;
  std::vector<float> sums_;
};

// Adds d (o) to the sums of those pieces that won, (p, o).
[[gnu::always_inline]] inline void add_to_winners(const float* __restrict d,
                                                  const std::uint8_t* __restrict winners,
                                                  std::int64_t width, std::int64_t pieces,
                                                  float* __restrict sums) {
  for (std::int64_t piece = 0; piece < pieces; ++piece, sums += width) {
    const auto wanted = static_cast<std::uint8_t>(piece);
    for (std::int64_t j = 0; j < width; ++j) sums[j] += winners[j] == wanted ? d[j] : 0.0F;
  }
}

// Backwards through dropout, layer normalization and maxout, in this order. Roundings follow those
// of the layers that the block stands for, one by one.
// From dy the gradient of the largest pieces, d (rows, o), as the GEMM sees it. Each number is
// added to the gradient of its winner's bias too.
WEFT_CPU_CLONES void backward_block(cpu::RowRange range, const Arrays& a,
                                    const MaxoutBlockLayer& layer, BlockSums& sums,
                                    std::size_t block, float* d) {
  const std::int64_t width = a.dy.cols(), pieces = layer.bias.cols();
  const MaxoutBlockFormats formats = cpu::formats_of(layer);
  cpu::RowMemory dy(width), largest(width), mask_row(width), dropped(width);
  float *d_bias = sums.bias(block), *d_gamma = sums.gamma(block), *d_beta = sums.beta(block);
  for (std::int64_t i = range.first; i < range.first + range.count; ++i, d += width) {
    const float* from = dy.read(a.dy, i);
    if (const float* mask = cpu::mask_of(layer, i, mask_row)) {
      multiply_rows(from, mask, width, dropped.numbers());
      cpu::round_numbers(formats.d_normal, dropped.numbers(), width);
      from = dropped.numbers();
    }
    const RowStats of{a.stats.row<float>(i)[0], a.stats.row<float>(i)[1]};
    normalize_backward(from, largest.read(a.largest, i), of, layer.gamma.as<float>(), width, d,
                       d_gamma, d_beta);
    NumberFormat held = cpu::round_numbers(formats.d_largest, d, width);
    held = cpu::round_numbers(held, formats.d_pieces, d, width);
    add_to_winners(d, a.winners.row<std::uint8_t>(i), width, pieces, d_bias);
    cpu::round_numbers(held, formats.factors, d, width);
  }
}

// The block adds its input to its output (a residual connection); the input of a window is its
// middle row, which so gets the gradient of the output as it is.
// Gives rows of dy to the rows of x in the middle of those that they saw.
[[gnu::always_inline]] inline void scatter_own(std::int64_t i, const ConstView& dy,
                                               const ConstView& seen, cpu::RowMemory& memory,
                                               const View& dx) {
  const std::int32_t own = cpu::middle_of(seen, i);
  if (own >= 0) add_to(dx.row<float>(own), memory.read(dy, i), dx.cols());
}

// Adds the gradients of the layer's input rows to the rows of x that they saw, and `dy` with them
// if it is given.
WEFT_CPU_CLONES void scatter_rows(cpu::RowRange range, const ConstView& dy, const float* d_rows,
                                  const ConstView& seen, const View& dx) {
  const std::int64_t width = dx.cols();
  cpu::RowMemory memory(width);
  for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
    if (dy) scatter_own(i, dy, seen, memory, dx);
    for (std::int64_t k = 0; k < seen.cols(); ++k, d_rows += width) {
      const std::int32_t row = seen.row<std::int32_t>(i)[k];
      if (row >= 0) add_to(dx.row<float>(row), d_rows, width);
    }
  }
}

// Under a policy the gradient of the windows is rounded, as their layer does, before dy is added.
WEFT_CPU_CLONES void finish_windows(const MaxoutBlockFormats& formats, const ConstView& seen,
                                    const Arrays& a) {
  cpu::RowMemory memory(a.dy.cols());
  const NumberFormat held =
      cpu::round_numbers(formats.d_windows, a.sums.as<float>(), a.sums.size());
  cpu::round_numbers(held, formats.d_input, a.sums.as<float>(), a.sums.size());
  for (std::int64_t i = 0; i < a.dy.rows(); ++i) scatter_own(i, a.dy, seen, memory, a.sums);
  cast_rows(a.sums, a.dx);
}

// The backward pass of a layer, chunk by chunk.
class BackwardPass {
 public:
  // Under a number format policy, sums over rows go on in order over all rows, as the single layers
  // sum them; else each block has sums of its own, added block by block. Either order is fixed.
  BackwardPass(const MaxoutBlockLayer& layer, const MaxoutBlockGradients& gradients,
               const Arrays& arrays)
      : layer_(layer),
        gradients_(gradients),
        a_(arrays),
        formats_(cpu::formats_of(layer)),
        sums_(gradients, follows_formats()) {
    cpu::LayerFactors factors = cpu::factors_of(a_.x, layer);
    factors.winners = a_.winners.as<std::uint8_t>();
    widened_.emplace(factors, layer.sharing);
    converted_.emplace(factors, a_.x.rows());
    gemms_ = cpu::backward_gemms(factors, a_.dy.rows(), layer.sharing);
  }

  void run() {
    // A row of x is seen by several windows; their gradients are summed in f32. In a policy of 16
    // bits that needs an array beside dx, rounded at the end.
    const View seen_sums = follows_formats() ? a_.sums : a_.dx;
    if (a_.dy.rows() == 0) write_zeros(seen_sums);
    const cpu::RowBlocks chunks{{0, a_.dy.rows()}, cpu::rows_of_chunk(a_.dy.rows())};
    for (std::size_t i = 0; i < chunks.count(); ++i) {
      run_chunk(chunks[i], gradients_.uninitialised_weights && i == 0, seen_sums);
    }
    sums_.finish();
    if (layer_.seen && follows_formats()) finish_windows(formats_, layer_.seen, a_);
  }

 private:
  bool follows_formats() const { return layer_.formats != nullptr; }

  // Where there are rows, the first chunk writes what others add to.
  void write_zeros(const View& seen_sums) {
    if (layer_.seen) std::fill_n(seen_sums.as<float>(), seen_sums.size(), 0.0F);
    if (!gradients_.uninitialised_weights) return;
    std::fill_n(gradients_.weights.as<float>(), gradients_.weights.size(), 0.0F);
  }

  void run_chunk(cpu::RowRange chunk, bool uninitialised_weights, View seen_sums) {
    const std::int64_t inputs = layer_.weights.cols();
    // Without windows, row i of the input is row i of x, and GEMMs write dx where it belongs.
    const bool in_place = !layer_.seen && !follows_formats();
    cpu::ScratchArray<float> scratch;
    if (!in_place) scratch = {cpu::ScratchUse::inputs, chunk.count * inputs};
    float* d_rows = in_place ? a_.dx.row<float>(chunk.first) : scratch;
    pass_back(chunk, d_rows);
    // One task scatters all rows of the chunk, while others already sum the weights' gradient:
    // neighbouring windows add to the same rows of x, in an order that is part of the result.
    const std::size_t scatters = layer_.seen ? 1 : 0;
    const auto parts = static_cast<std::size_t>(gemms_->gradient_parts());
    layer_.sharing.run(scatters + parts, [&](std::size_t i) {
      if (i < scatters) return scatter(chunk, d_rows, seen_sums);
      gemms_->add_gradient(static_cast<std::int64_t>(i - scatters), gradients_.weights.as<float>(),
                           uninitialised_weights);
    });
    if (layer_.seen || in_place) return;
    cast_rows(ConstView(d_rows, DType::f32, {chunk.count, inputs}),
              a_.dx.slice(chunk.first, chunk.count));
  }

  void scatter(cpu::RowRange chunk, const float* d_rows, const View& sums) {
    if (chunk.first == 0) std::fill_n(sums.as<float>(), sums.size(), 0.0F);
    scatter_rows(chunk, follows_formats() ? ConstView() : a_.dy, d_rows, layer_.seen, sums);
  }

  // Block by block; d_rows (rows of the chunk, k * i). Sums that go on in order are made by this
  // thread alone, before the GEMMs.
  void pass_back(cpu::RowRange chunk, float* d_rows) {
    gemms_->begin_chunk(chunk.first, chunk.count);
    const cpu::RowBlocks blocks{chunk, gemms_->block_rows()};
    const std::int64_t width = a_.dy.cols(), inputs = layer_.weights.cols();
    const cpu::ScratchArray<float> d(cpu::ScratchUse::largest, chunk.count * width);
    const bool ends_with_rows = gemms_->ends_with_rows();
    const auto pass_to_winners = [&](std::size_t i) {
      backward_block(blocks[i], a_, layer_, sums_, i, d + (blocks[i].first - chunk.first) * width);
    };
    const auto multiply = [&](std::size_t i) {
      const cpu::RowRange rows = blocks[i];
      const std::int64_t before = rows.first - chunk.first;
      float* to = d_rows + before * inputs;
      gemms_->backward(rows.first, rows.count, d + before * width, to);
      if (!ends_with_rows) cpu::round_numbers(formats_.d_rows, to, rows.count * inputs);
    };
    sums_.begin(blocks.count());
    for (std::size_t i = 0; follows_formats() && i < blocks.count(); ++i) pass_to_winners(i);
    layer_.sharing.run(blocks.count(), [&](std::size_t i) {
      if (!follows_formats()) pass_to_winners(i);
      multiply(i);
    });
    sums_.end(blocks.count());
    if (!ends_with_rows) return;
    gemms_->end_chunk(d_rows);
    cpu::round_numbers(formats_.d_rows, d_rows, chunk.count * inputs);
  }

  const MaxoutBlockLayer& layer_;
  const MaxoutBlockGradients& gradients_;
  const Arrays& a_;
  MaxoutBlockFormats formats_;
  BlockSums sums_;
  std::optional<cpu::WidenedWeights> widened_;
  std::optional<cpu::ConvertedRows> converted_;
  std::unique_ptr<cpu::BackwardGemms> gemms_;
};

void backward(Stream&, const MaxoutBlockLayer& layer, const MaxoutBlockGradients& gradients,
              const Arrays& arrays) {
  BackwardPass(layer, gradients, arrays).run();
}

const KernelRegistration<MaxoutBlockBackward> backward_kernel{DeviceKind::cpu, backward,
                                                              KernelFormats::any};

}  // namespace

}  // namespace weft
