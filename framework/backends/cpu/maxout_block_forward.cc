#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/layer_norm_row.h"
#include "framework/backends/cpu/maxout_block_rows.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

using Arrays = MaxoutBlockForward::Arrays;

// Rows go together from one step to the next: the numbers of one wait for each other, in its sums,
// its root and its division, and those of another row can be computed meanwhile.
constexpr std::int64_t kRowsTogether = 8;

// A block of more rows than these is finished by several threads.
constexpr std::int64_t kMostRowsOfTask = 48;

// Memory of rows that are kept in 16 bits or not at all, or masks in one byte.
struct Memory {
  explicit Memory(std::int64_t width)
      : largest(kRowsTogether, cpu::RowMemory(width)), y(width), mask(width), own(width) {}
  std::vector<cpu::RowMemory> largest;
  cpu::RowMemory y, mask, own;
};

// Mean and scale of the row are kept for the backward pass, which so needs no second look at y.
// Inlined always, as what follows: neither would be built for each processor as its own function.
[[gnu::always_inline]] inline RowStats row_stats(std::int64_t i, const float* best,
                                                 const Arrays& a) {
  const RowStats of = stats_of(best, a.y.cols());
  if (a.stats) {
    a.stats.row<float>(i)[0] = of.mean;
    a.stats.row<float>(i)[1] = of.scale;
  }
  return of;
}

// Row `i` of `y` from that of the largest pieces.
[[gnu::always_inline]] inline void finish_row(std::int64_t i, const float* best, RowStats of,
                                              const MaxoutBlockLayer& layer, const Arrays& a,
                                              const MaxoutBlockFormats& formats, Memory& memory) {
  const std::int64_t width = a.y.cols();
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
  const cpu::RowBlocks groups{range, kRowsTogether};
  for (std::size_t g = 0; g < groups.count(); ++g) {
    const cpu::RowRange rows = groups[g];
    float* best[kRowsTogether];
    RowStats stats[kRowsTogether];
    for (std::int64_t r = 0; r < rows.count; ++r, z += width * pieces) {
      const std::int64_t i = rows.first + r;
      cpu::RowMemory& own = memory.largest[static_cast<std::size_t>(r)];
      best[r] = own.place(a.largest, i);
      cpu::round_numbers(formats.pieces, z, width * pieces);
      max_of_pieces(z, width, pieces, best[r],
                    a.winners ? a.winners.row<std::uint8_t>(i) : nullptr);
      cpu::round_numbers(formats.pieces, formats.largest, best[r], width);
      own.store(a.largest, i);
    }
    for (std::int64_t r = 0; r < rows.count; ++r) {
      stats[r] = row_stats(rows.first + r, best[r], a);
    }
    for (std::int64_t r = 0; r < rows.count; ++r) {
      finish_row(rows.first + r, best[r], stats[r], layer, a, formats, memory);
    }
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
  const auto gemms = cpu::forward_gemms(factors, a.y.rows(), layer.sharing);
  const std::vector<cpu::RowRange> blocks = gemms->blocks();
  const std::int64_t outputs = layer.weights.rows();
  // Each block goes through GEMM, maxout, normalization and dropout while its numbers are in the
  // caches. Rows are independent of each other, so threads change nothing in the result.
  layer.sharing.run(blocks.size(), [&](std::size_t i) {
    const cpu::RowRange rows = blocks[i];
    const cpu::ScratchArray<float> z(cpu::ScratchUse::sums, rows.count * outputs);
    gemms->forward(rows.first, rows.count, z);
    const cpu::RowBlocks parts{rows, kMostRowsOfTask};
    layer.sharing.run(parts.count(), [&](std::size_t part) {
      const cpu::RowRange some = parts[part];
      forward_block(some, z + (some.first - rows.first) * outputs, layer, a);
    });
  });
}

const KernelRegistration<MaxoutBlockForward> forward_kernel{DeviceKind::cpu, forward,
                                                            KernelFormats::any};

}  // namespace

}  // namespace weft
