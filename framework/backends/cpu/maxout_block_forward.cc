#include <cstdint>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/layer_norm_row.h"
#include "framework/backends/cpu/maxout_block_rows.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

using Arrays = MaxoutBlockForward::Arrays;

// Memory of rows that are kept in 16 bits, or masks in one byte.
struct Memory {
  explicit Memory(std::int64_t width) : largest(width), y(width), mask(width), own(width) {}
  cpu::RowMemory largest, y, mask, own;
};

// Row `i` of `y` from that of the largest pieces. Inlined always: it would not be built for each
// processor as a function of its own.
[[gnu::always_inline]] inline void finish_row(std::int64_t i, const float* best,
                                              const MaxoutBlockLayer& layer, const Arrays& a,
                                              const MaxoutBlockFormats& formats, Memory& memory) {
  const std::int64_t width = a.y.cols();
  // Mean and scale of the row are kept for the backward pass, which so needs no second look at y.
  const RowStats of = stats_of(best, width);
  if (a.stats) {
    a.stats.row<float>(i)[0] = of.mean;
    a.stats.row<float>(i)[1] = of.scale;
  }
  float* to = memory.y.place(a.y, i);
  normalize(best, of, layer.gamma.as<float>(), layer.beta.as<float>(), width, to);
  NumberFormat held = cpu::round_numbers(formats.normal, to, width);
  if (const float* mask = cpu::mask_of(layer, i, memory.mask)) {
    multiply_by(to, mask, width);
    held = cpu::round_numbers(formats.dropped, to, width);
  }
  const std::int32_t own = layer.seen ? cpu::middle_of(layer.seen, i) : -1;
  if (own >= 0) {
    cpu::round_numbers(held, formats.sum, to, width);
    add_to(to, memory.own.read(a.x, own), width);
  }
  memory.y.store(a.y, i);
}

template <int kPieces>
[[gnu::always_inline]] inline void forward_rows(cpu::RowRange range, float* z,
                                                const MaxoutBlockLayer& layer, const Arrays& a) {
  const std::int64_t width = a.y.cols();
  const int pieces = kPieces > 0 ? kPieces : static_cast<int>(layer.bias.cols());
  const MaxoutBlockFormats formats = cpu::formats_of(layer);
  Memory memory(width);
  for (std::int64_t i = range.first; i < range.first + range.count; ++i, z += width * pieces) {
    float* best = memory.largest.place(a.largest, i);
    cpu::round_numbers(formats.pieces, z, width * pieces);
    max_of_pieces(z, width, pieces, best, a.winners ? a.winners.row<std::uint8_t>(i) : nullptr);
    cpu::round_numbers(formats.pieces, formats.largest, best, width);
    memory.largest.store(a.largest, i);
    finish_row(i, best, layer, a, formats, memory);
  }
}

// The number of pieces is a constant in the loops that matter, so that they become vector code.
WEFT_CPU_CLONES void forward_block(cpu::RowRange range, float* z, const MaxoutBlockLayer& layer,
                                   const Arrays& a) {
  if (layer.bias.cols() == 3) {
    forward_rows<3>(range, z, layer, a);
  } else if (layer.bias.cols() == 2) {
    forward_rows<2>(range, z, layer, a);
  } else {
    forward_rows<0>(range, z, layer, a);
  }
}

void forward(Stream&, const MaxoutBlockLayer& layer, const Arrays& a) {
  cpu::LayerFactors factors = cpu::factors_of(a.x, layer);
  const cpu::WidenedWeights widened(factors, layer.sharing);
  const cpu::ConvertedRows converted(factors, a.x.rows());
  const auto gemms = cpu::forward_gemms(factors, layer.sharing);
  const cpu::RowBlocks blocks{{0, a.y.rows()}, gemms->block_rows(a.y.rows())};
  const std::int64_t outputs = layer.weights.rows();
  // Each block goes through GEMM, maxout, normalization and dropout while its numbers are in the
  // caches. Rows are independent of each other, so threads change nothing in the result.
  layer.sharing.run(blocks.count(), [&](std::size_t i) {
    const cpu::RowRange rows = blocks[i];
    const cpu::ScratchArray<float> z(cpu::ScratchUse::sums, blocks.size * outputs);
    gemms->forward(rows.first, rows.count, z);
    forward_block(rows, z, layer, a);
  });
}

const KernelRegistration<MaxoutBlockForward> forward_kernel{DeviceKind::cpu, forward,
                                                            KernelFormats::any};

}  // namespace

}  // namespace weft
