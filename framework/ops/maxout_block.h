// The rest of a layer behind its product in one pass over the rows: maxout, layer norm, dropout and
// a residual connection. Each row is computed as by MaxoutForward, LayerNormForward, Multiply and
// AddInPlace one after the other, and their ways back; what would be written and read again between
// them stays in the first cache. On the CPU alone, in f32.
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

// What belongs to the rows of a block. Row i is multiplied by row place[i] of `mask` (..., o), and
// the row of the residual input that is in the middle of seen[i] is added to it, none if that is
// negative. `place` (n) and `seen` (n, k), k odd, are i32. Without a mask nothing is dropped,
// without rows seen nothing is added.
struct MaxoutBlockRows {
  ConstView gain, bias;  // (o), of the layer norm
  ConstView mask, place, seen;
};

// y (n, o) from z (n, o, pieces) and the residual input x (..., o). For the way back: `largest`
// (n, o), `winners` (n, o, u8) and `stats` (n, 2), as MaxoutForward and LayerNormForward give them.
struct MaxoutBlockForward {
  static constexpr std::string_view name = "maxout_block_forward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, ConstView z, ConstView x, const MaxoutBlockRows& rows, View largest,
                  View winners, View stats, View y);
};

// dz (n, o, pieces) is written; d_gain (o), d_bias (o), and the gradient of the product's bias,
// d_shift (o, pieces), are added to. What flows back through the residual connection is dy itself.
struct MaxoutBlockBackward {
  static constexpr std::string_view name = "maxout_block_backward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, ConstView dy, ConstView largest, ConstView winners, ConstView stats,
                  const MaxoutBlockRows& rows, View dz, View d_gain, View d_bias, View d_shift);
};

// What a residual layer over windows of rows gives back to its input: dx (m, d) is the sum of
// d_windows (n, k * d), whose parts go to the rows `seen` (n, k, i32; nothing where negative), and
// of dy (n, d), which goes to the middle of the rows seen. k is odd.
struct WindowRowsBackward {
  static constexpr std::string_view name = "window_rows_backward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, ConstView dy, ConstView d_windows, ConstView seen, View dx);
};

}  // namespace weft
