#include "framework/ops/maxout_block.h"

#include <algorithm>
#include <vector>

#include "framework/backends/cpu/clones.h"
#include "framework/backends/cpu/layer_norm_row.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

// The factors of row `i`; null if nothing is dropped.
inline const float* mask_of(const MaxoutBlockRows& rows, std::int64_t i) {
  return rows.mask ? rows.mask.row<float>(rows.place.as<std::int32_t>()[i]) : nullptr;
}

// The number of the row in the middle of those that row `i` sees.
inline std::int32_t middle_of(ConstView seen, std::int64_t i) {
  return seen.row<std::int32_t>(i)[seen.cols() / 2];
}

// Inlined always: it would not be built for each processor as a function of its own.
template <int kPieces>
[[gnu::always_inline]] inline void forward_rows(ConstView z, ConstView x,
                                                const MaxoutBlockRows& rows, View largest,
                                                View winners, View stats, View y) {
  const std::int64_t width = y.cols();
  const int pieces = kPieces > 0 ? kPieces : static_cast<int>(z.cols());
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    float* best = largest.row<float>(i);
    max_of_pieces(z.as<float>() + i * width * pieces, width, pieces, best,
                  winners.row<std::uint8_t>(i));
    const RowStats of = stats_of(best, width);
    stats.row<float>(i)[0] = of.mean;
    stats.row<float>(i)[1] = of.scale;
    float* to = y.row<float>(i);
    normalize(best, of, rows.gain.as<float>(), rows.bias.as<float>(), width, to);
    if (const float* mask = mask_of(rows, i)) multiply_by(to, mask, width);
    if (!rows.seen) continue;
    const std::int32_t own = middle_of(rows.seen, i);
    if (own >= 0) add_to(to, x.row<float>(own), width);
  }
}

// The number of pieces is a constant in the loops that matter, so that they become vector code.
WEFT_CPU_CLONES void forward(Stream&, ConstView z, ConstView x, const MaxoutBlockRows& rows,
                             View largest, View winners, View stats, View y) {
  if (z.cols() == 3) {
    forward_rows<3>(z, x, rows, largest, winners, stats, y);
  } else if (z.cols() == 2) {
    forward_rows<2>(z, x, rows, largest, winners, stats, y);
  } else {
    forward_rows<0>(z, x, rows, largest, winners, stats, y);
  }
}

// Zeros in long stores, then one number for each output.
[[gnu::always_inline]] inline void spread_row(const float* d, const std::uint8_t* winners,
                                              std::int64_t width, std::int64_t pieces,
                                              float* __restrict dz, float* __restrict d_shift) {
  std::fill_n(dz, width * pieces, 0.0F);
  for (std::int64_t j = 0; j < width; ++j) dz[j * pieces + winners[j]] = d[j];
  add_to(d_shift, dz, width * pieces);
}

WEFT_CPU_CLONES void backward(Stream&, ConstView dy, ConstView largest, ConstView winners,
                              ConstView stats, const MaxoutBlockRows& rows, View dz, View d_gain,
                              View d_bias, View d_shift) {
  const std::int64_t width = dy.cols(), pieces = dz.cols();
  std::vector<float> kept(static_cast<std::size_t>(2 * width));
  float *dropped = kept.data(), *d_best = dropped + width;
  for (std::int64_t i = 0; i < dy.rows(); ++i) {
    const float* from = dy.row<float>(i);
    if (const float* mask = mask_of(rows, i)) {
      std::copy_n(from, width, dropped);
      multiply_by(dropped, mask, width);
      from = dropped;
    }
    const RowStats of{stats.row<float>(i)[0], stats.row<float>(i)[1]};
    normalize_backward(from, largest.row<float>(i), of, rows.gain.as<float>(), width, d_best,
                       d_gain.as<float>(), d_bias.as<float>());
    spread_row(d_best, winners.row<std::uint8_t>(i), width, pieces,
               dz.as<float>() + i * width * pieces, d_shift.as<float>());
  }
}

WEFT_CPU_CLONES void window_rows_backward(Stream&, ConstView dy, ConstView d_windows,
                                          ConstView seen, View dx) {
  const std::int64_t width = dx.cols();
  std::fill_n(dx.as<float>(), dx.size(), 0.0F);
  for (std::int64_t i = 0; i < dy.rows(); ++i) {
    const std::int32_t own = middle_of(seen, i);
    if (own >= 0) add_to(dx.row<float>(own), dy.row<float>(i), width);
    const float* from = d_windows.row<float>(i);
    for (std::int64_t k = 0; k < seen.cols(); ++k, from += width) {
      const std::int32_t row = seen.row<std::int32_t>(i)[k];
      if (row >= 0) add_to(dx.row<float>(row), from, width);
    }
  }
}

const KernelRegistration<WindowRowsBackward> rows_kernel{DeviceKind::cpu, window_rows_backward};
const KernelRegistration<MaxoutBlockForward> forward_kernel{DeviceKind::cpu, forward};
const KernelRegistration<MaxoutBlockBackward> backward_kernel{DeviceKind::cpu, backward};

}  // namespace

}  // namespace weft
