// A whole layer in one pass over blocks of its rows: an affine map, maxout, layer norm, dropout and
// a residual connection. Each row is computed as by Affine, MaxoutForward, LayerNormForward,
// Multiply and AddInPlace one after the other, and their backward passes. On the CPU intermediate
// results stay in the first caches, in f32: numbers of 16 bits are widened, and rounded to 16 bits,
// block by block. On a device all is f32, and all but the GEMMs is one kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "framework/ops/dropout.h"
#include "framework/ops/kernel.h"
#include "framework/ops/op_profile.h"
#include "framework/ops/work_sharing.h"

namespace weft {

// The formats that the ops of a block round their numbers to under a precision policy.
struct MaxoutBlockFormats {
  NumberFormat rows = NumberFormat::f32;     // of the layer's input, as its rows are stored
  NumberFormat factors = NumberFormat::f32;  // both factors of the GEMMs
  NumberFormat pieces = NumberFormat::f32, largest = NumberFormat::f32;
  NumberFormat normal = NumberFormat::f32;   // behind the layer norm,
  NumberFormat dropped = NumberFormat::f32;  // the dropout
  NumberFormat sum = NumberFormat::f32;      // and the residual connection: the output
  // Gradients of the arrays named above, and of the windows put together.
  NumberFormat d_normal = NumberFormat::f32, d_largest = NumberFormat::f32;
  NumberFormat d_pieces = NumberFormat::f32, d_rows = NumberFormat::f32;
  NumberFormat d_windows = NumberFormat::f32, d_input = NumberFormat::f32;
};

// The parameters of a layer and the tables of its rows. Row i of the layer's input
// is made of the rows seen[i] of x side by side, zeros where negative; row i of its output is
// multiplied by row place[i] of `mask` (..., o), and the row of x in the middle of seen[i] is added
// to it, none if that is negative. `seen` (n, k), k odd, and `place` (n) are i32. Without rows seen
// the input is x itself, and nothing is added; without a mask nothing is dropped.
struct MaxoutBlockLayer {
  ConstView weights, bias;  // (o * pieces, k * i), (o, pieces); rounded as factors are, bias in f32
  ConstView gamma, beta;    // (o), of the layer norm
  ConstView mask;           // f32, or u8: `keep_scale` where it is not zero
  ConstView place, seen;
  WorkSharing sharing;
  float keep_scale = 1.0F;
  // Null: all is f32 and stays so. Else sums over rows are taken from the first to the last row.
  const MaxoutBlockFormats* formats = nullptr;
  // The other members are for devices alone. In place of `mask`:
  std::optional<DropoutDraws> draws = {};
  // The table `seen` from the side of x (m, k), i32: the row that sees row i of x in column c, -1
  // if none does. No two rows may see one in the same column.
  ConstView seen_by = {};

  // Operations of its GEMM for so many rows.
  double flops(std::int64_t rows) const {
    return 2.0 * static_cast<double>(rows) * static_cast<double>(weights.size());
  }
};

// y (n, o) from x (..., i). For the backward pass: `largest` (n, o), `winners` (n, o, u8) and
// `stats` (n, 2, f32), as MaxoutForward and LayerNormForward give them; without them, all three
// empty, there is none. x, largest and y have the types that the formats say.
struct MaxoutBlockForward {
  static constexpr std::string_view name = "maxout_block_forward";
  static constexpr Category category = Category::low;  // most of it is a GEMM
  // A struct: it is not for the policy to cast them.
  struct Arrays {
    ConstView x;
    View largest, winners, stats, y;
    View rows = {};  // on a device, if rows are seen: (n, k * i), those of the layer's input
  };
  using Fn = void(Stream&, const MaxoutBlockLayer& layer, const Arrays& arrays);
  static double flops(const MaxoutBlockLayer& layer, const Arrays& arrays) {
    return layer.flops(arrays.y.rows());
  }
};

// The gradients of a layer's parameters, f32, shaped as they are. They are added to, or written
// where their contents are undefined (uninitialised): on the CPU that of the weights alone may be.
struct MaxoutBlockGradients {
  View weights, bias, gamma, beta;
  bool uninitialised_weights = false;
  bool uninitialised_bias = false, uninitialised_gamma = false, uninitialised_beta = false;
};

// dx (m, i) is written: the gradients of the rows of x that were seen, and dy for those in the
// middle. The sums over rows are the same for any number of threads. Where formats are followed dx
// may be x, and `sums` (m, i, f32) is memory to add it up in, if rows are seen.
struct MaxoutBlockBackward {
  static constexpr std::string_view name = "maxout_block_backward";
  static constexpr Category category = Category::low;
  struct Arrays {
    ConstView dy, x, largest, winners, stats;
    View dx, sums;
    ConstView rows = {};  // as the forward pass wrote them
  };
  using Fn = void(Stream&, const MaxoutBlockLayer& layer, const MaxoutBlockGradients& gradients,
                  const Arrays& arrays);
  static double flops(const MaxoutBlockLayer& layer, const MaxoutBlockGradients&,
                      const Arrays& arrays) {
    return 2.0 * layer.flops(arrays.dy.rows());
  }
};

// The bytes that a profile counts as read or written.
inline double bytes_of(const MaxoutBlockForward::Arrays& a) {
  return bytes_of(a.x) + bytes_of(a.largest) + bytes_of(a.winners) + bytes_of(a.stats) +
         bytes_of(a.y);
}
inline double bytes_of(const MaxoutBlockBackward::Arrays& a) {
  return bytes_of(a.dy) + bytes_of(a.x) + bytes_of(a.largest) + bytes_of(a.winners) +
         bytes_of(a.stats) + bytes_of(a.dx);
}

}  // namespace weft
