#include "framework/ops/maxout_block.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "framework/backends/cpu/clones.h"
#include "framework/backends/cpu/gemm/layer_products.h"
#include "framework/backends/cpu/kept_memory.h"
#include "framework/backends/cpu/layer_norm_row.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

// Rows [first, first + count).
struct RowRange {
  std::int64_t first, count;
};

cpu::LayerFactors factors_of(ConstView x, const MaxoutBlockLayer& layer) {
  cpu::WideRows wide{x.as<float>(), x.row_stride(), x.cols()};
  if (layer.seen) {
    wide.seen = layer.seen.as<std::int32_t>();
    wide.parts = layer.seen.cols();
  }
  return {wide, layer.weights.as<float>(), layer.shift.as<float>(), layer.weights.rows(),
          layer.shift.cols()};
}

// Strips of `size` rows in [first, first + count).
struct Strips {
  RowRange rows;
  std::int64_t size;

  std::size_t count() const { return static_cast<std::size_t>((rows.count + size - 1) / size); }
  RowRange operator[](std::size_t i) const {
    const std::int64_t before = static_cast<std::int64_t>(i) * size;
    return {rows.first + before, std::min(size, rows.count - before)};
  }
};

// The factors of row `i`; null if nothing is dropped.
inline const float* mask_of(const MaxoutBlockLayer& layer, std::int64_t i) {
  return layer.mask ? layer.mask.row<float>(layer.place.as<std::int32_t>()[i]) : nullptr;
}

// The number of the row in the middle of those that row `i` sees.
inline std::int32_t middle_of(ConstView seen, std::int64_t i) {
  return seen.row<std::int32_t>(i)[seen.cols() / 2];
}

// What the forward pass keeps of its rows.
template <class AnyView>
struct Kept {
  AnyView largest, winners, stats;
};

// Inlined always: it would not be built for each processor as a function of its own.
template <int kPieces>
[[gnu::always_inline]] inline void forward_rows(RowRange range, const float* z, ConstView x,
                                                const MaxoutBlockLayer& layer,
                                                const Kept<View>& kept, View y) {
  const std::int64_t width = y.cols();
  const int pieces = kPieces > 0 ? kPieces : static_cast<int>(layer.shift.cols());
  for (std::int64_t i = range.first; i < range.first + range.count; ++i, z += width * pieces) {
    float* best = kept.largest.template row<float>(i);
    max_of_pieces(z, width, pieces, best, kept.winners.template row<std::uint8_t>(i));
    const RowStats of = stats_of(best, width);
    kept.stats.template row<float>(i)[0] = of.mean;
    kept.stats.template row<float>(i)[1] = of.scale;
    float* to = y.row<float>(i);
    normalize(best, of, layer.gain.as<float>(), layer.bias.as<float>(), width, to);
    if (const float* mask = mask_of(layer, i)) multiply_by(to, mask, width);
    if (!layer.seen) continue;
    const std::int32_t own = middle_of(layer.seen, i);
    if (own >= 0) add_to(to, x.row<float>(own), width);
  }
}

// The number of pieces is a constant in the loops that matter, so that they become vector code.
WEFT_CPU_CLONES void forward_strip(RowRange range, const float* z, ConstView x,
                                   const MaxoutBlockLayer& layer, const Kept<View>& kept, View y) {
  if (layer.shift.cols() == 3) {
    forward_rows<3>(range, z, x, layer, kept, y);
  } else if (layer.shift.cols() == 2) {
    forward_rows<2>(range, z, x, layer, kept, y);
  } else {
    forward_rows<0>(range, z, x, layer, kept, y);
  }
}

void forward(Stream&, ConstView x, const MaxoutBlockLayer& layer, View largest, View winners,
             View stats, View y) {
  const auto products = cpu::forward_products(factors_of(x, layer), layer.sharing);
  const Strips strips{{0, y.rows()}, products->strip()};
  layer.sharing.run(strips.count(), [&](std::size_t i) {
    const RowRange rows = strips[i];
    auto* z = cpu::kept_array<float>(cpu::Kept::sums, strips.size * layer.weights.rows());
    products->forward(rows.first, rows.count, z);
    forward_strip(rows, z, x, layer, {largest, winners, stats}, y);
  });
}

// Sums over the rows of a strip, one behind the other, and where they are added to. Those of the
// shift (o, p) stand piece by piece, so that a row is added in vectors.
class StripSums {
 public:
  explicit StripSums(const MaxoutBlockGradients& to) : to_(to) {}

  std::int64_t size() const { return to_.shift.size() + to_.gain.size() + to_.bias.size(); }
  float* shift(float* sums) const { return sums; }
  float* gain(float* sums) const { return sums + to_.shift.size(); }
  float* bias(float* sums) const { return gain(sums) + to_.gain.size(); }

  void add(float* sums) const {
    const std::int64_t width = to_.shift.rows(), pieces = to_.shift.cols();
    auto* to = to_.shift.as<float>();
    for (std::int64_t i = 0; i < width * pieces; ++i) {
      to[i] += shift(sums)[i % pieces * width + i / pieces];
    }
    add_to(to_.gain.as<float>(), gain(sums), to_.gain.size());
    add_to(to_.bias.as<float>(), bias(sums), to_.bias.size());
  }

 private:
  MaxoutBlockGradients to_;
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

// From dy what comes back to the largest pieces, d (rows, o). Each goes to its winner's shift too.
WEFT_CPU_CLONES void backward_strip(RowRange range, ConstView dy, const Kept<ConstView>& kept,
                                    const MaxoutBlockLayer& layer, const StripSums& places,
                                    float* sums, float* d) {
  const std::int64_t width = dy.cols(), pieces = layer.shift.cols();
  std::vector<float> dropped(static_cast<std::size_t>(width));
  float* d_shift = places.shift(sums);
  for (std::int64_t i = range.first; i < range.first + range.count; ++i, d += width) {
    const float* from = dy.row<float>(i);
    if (const float* mask = mask_of(layer, i)) {
      std::copy_n(from, width, dropped.data());
      multiply_by(dropped.data(), mask, width);
      from = dropped.data();
    }
    const RowStats of{kept.stats.template row<float>(i)[0], kept.stats.template row<float>(i)[1]};
    normalize_backward(from, kept.largest.template row<float>(i), of, layer.gain.as<float>(), width,
                       d, places.gain(sums), places.bias(sums));
    add_to_winners(d, kept.winners.template row<std::uint8_t>(i), width, pieces, d_shift);
  }
}

// Gives what rows of the layer's input get back to the rows of x that they saw.
WEFT_CPU_CLONES void scatter_rows(RowRange range, ConstView dy, const float* d_rows, ConstView seen,
                                  View dx) {
  const std::int64_t width = dx.cols();
  for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
    const std::int32_t own = middle_of(seen, i);
    if (own >= 0) add_to(dx.row<float>(own), dy.row<float>(i), width);
    for (std::int64_t k = 0; k < seen.cols(); ++k, d_rows += width) {
      const std::int32_t row = seen.row<std::int32_t>(i)[k];
      if (row >= 0) add_to(dx.row<float>(row), d_rows, width);
    }
  }
}

// The way back of a chunk of rows.
class BackwardChunk {
 public:
  BackwardChunk(cpu::BackwardProducts& products, const MaxoutBlockLayer& layer, RowRange rows)
      : products_(products), layer_(layer) {
    products_.begin_chunk(rows.first, rows.count);
    strips_ = {rows, products_.strip()};
  }

  // Strip by strip; d_rows (rows of the chunk, k * i).
  void pass_back(ConstView dy, const Kept<ConstView>& kept, const MaxoutBlockGradients& gradients,
                 float* d_rows) {
    const StripSums places(gradients);
    std::vector<float> sums(strips_.count() * static_cast<std::size_t>(places.size()));
    const auto sums_of = [&](std::size_t i) {
      return sums.data() + static_cast<std::int64_t>(i) * places.size();
    };
    layer_.sharing.run(strips_.count(), [&](std::size_t i) {
      const RowRange rows = strips_[i];
      auto* d = cpu::kept_array<float>(cpu::Kept::largest, strips_.size * dy.cols());
      backward_strip(rows, dy, kept, layer_, places, sums_of(i), d);
      products_.backward(rows.first, rows.count, d,
                         d_rows + (rows.first - strips_.rows.first) * layer_.weights.cols());
    });
    for (std::size_t i = 0; i < strips_.count(); ++i) places.add(sums_of(i));
  }

  // Written where it is fresh.
  void add_weight_gradient(View d_weights, bool is_fresh) {
    layer_.sharing.run(static_cast<std::size_t>(products_.gradient_parts()), [&](std::size_t i) {
      products_.add_gradient(static_cast<std::int64_t>(i), d_weights.as<float>(), is_fresh);
    });
  }

 private:
  cpu::BackwardProducts& products_;
  const MaxoutBlockLayer& layer_;
  Strips strips_;
};

void backward(Stream&, ConstView dy, ConstView x, ConstView largest, ConstView winners,
              ConstView stats, const MaxoutBlockLayer& layer, const MaxoutBlockGradients& gradients,
              View dx) {
  const std::int64_t rows = dy.rows(), inputs = layer.weights.cols();
  cpu::LayerFactors factors = factors_of(x, layer);
  factors.winners = winners.as<std::uint8_t>();
  const auto products = cpu::backward_products(factors, layer.sharing);
  if (layer.seen) std::fill_n(dx.as<float>(), dx.size(), 0.0F);
  if (gradients.fresh_weights && rows == 0) {
    std::fill_n(gradients.weights.as<float>(), gradients.weights.size(), 0.0F);
  }
  const Strips chunks{{0, rows}, cpu::rows_of_chunk(rows)};
  for (std::size_t i = 0; i < chunks.count(); ++i) {
    const RowRange range = chunks[i];
    BackwardChunk chunk(*products, layer, range);
    float* d_rows = layer.seen ? cpu::kept_array<float>(cpu::Kept::inputs, range.count * inputs)
                               : dx.row<float>(range.first);
    chunk.pass_back(dy, {largest, winners, stats}, gradients, d_rows);
    if (layer.seen) scatter_rows(range, dy, d_rows, layer.seen, dx);
    chunk.add_weight_gradient(gradients.weights, gradients.fresh_weights && i == 0);
  }
}

const KernelRegistration<MaxoutBlockForward> forward_kernel{DeviceKind::cpu, forward};
const KernelRegistration<MaxoutBlockBackward> backward_kernel{DeviceKind::cpu, backward};

}  // namespace

}  // namespace weft
