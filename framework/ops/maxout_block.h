// A whole layer in one pass over strips of its rows: an affine map, maxout, layer norm, dropout and
// a residual connection. Each row is computed as by Affine, MaxoutForward, LayerNormForward,
// Multiply and AddInPlace one after the other, and their ways back; what would be written and read
// again between them stays in the first caches. On the CPU alone, in f32.
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"
#include "framework/ops/work_sharing.h"

namespace weft {

// What does not change from row to row, and what belongs to the rows. Row i of the layer's input
// is made of the rows seen[i] of x side by side, zeros where negative; row i of its output is
// multiplied by row place[i] of `mask` (..., o), and the row of x in the middle of seen[i] is added
// to it, none if that is negative. `seen` (n, k), k odd, and `place` (n) are i32. Without rows seen
// the input is x itself, and nothing is added; without a mask nothing is dropped.
struct MaxoutBlockLayer {
  ConstView weights, shift;  // (o * pieces, k * i), (o, pieces)
  ConstView gain, bias;      // (o), of the layer norm
  ConstView mask, place, seen;
  WorkSharing sharing;

  // Operations of its product for so many rows.
  double flops(std::int64_t rows) const {
    return 2.0 * static_cast<double>(rows) * static_cast<double>(weights.size());
  }
};

// y (n, o) from x (..., i). For the way back: `largest` (n, o), `winners` (n, o, u8) and `stats`
// (n, 2), as MaxoutForward and LayerNormForward give them.
struct MaxoutBlockForward {
  static constexpr std::string_view name = "maxout_block_forward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, ConstView x, const MaxoutBlockLayer& layer, View largest, View winners,
                  View stats, View y);
  static double flops(ConstView, const MaxoutBlockLayer& layer, View, View, View, View y) {
    return layer.flops(y.rows());
  }
};

// The gradients of a layer's parameters, shaped as they are. All are added to, but that of the
// weights is written if it is fresh: contents undefined.
struct MaxoutBlockGradients {
  View weights, shift, gain, bias;
  bool fresh_weights = false;
};

// dx (m, i) is written: what goes back to the rows of x that were seen, and dy to those in the
// middle. The sums over rows are the same for any number of threads.
struct MaxoutBlockBackward {
  static constexpr std::string_view name = "maxout_block_backward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, ConstView dy, ConstView x, ConstView largest, ConstView winners,
                  ConstView stats, const MaxoutBlockLayer& layer,
                  const MaxoutBlockGradients& gradients, View dx);
  static double flops(ConstView dy, ConstView, ConstView, ConstView, ConstView,
                      const MaxoutBlockLayer& layer, const MaxoutBlockGradients&, View) {
    return 2.0 * layer.flops(dy.rows());
  }
};

}  // namespace weft
