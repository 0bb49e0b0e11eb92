// An affine map with maxout and layer norm behind it, whose rows may be dropped in part and added
// to those of another array: what the layers of embeddings and window encoders have in common.
// Computed by ops that stand for several (framework/ops/maxout_block.h), on the CPU in f32.
#pragma once

#include <cstdint>

#include "framework/nn/model.h"
#include "framework/ops/maxout_block.h"

namespace weft {

// The parts of chain(maxout, layer norm).
struct MaxoutParts {
  explicit MaxoutParts(const Model& chain) : maxout(*chain.layers()[0]), norm(*chain.layers()[1]) {}
  const Model &maxout, &norm;

  std::int64_t width() const;
};

// Whether the layers may run as blocks in this pass: where a precision policy is followed, on a
// device, and where somebody watches the layers they run one by one.
bool runs_blocks(const Context& ctx);

// What belongs to the rows of a block (see MaxoutBlockLayer).
struct MaxoutBlockRows {
  ConstView mask, place, seen;
};

// One pass through such a block.
class MaxoutBlock {
 public:
  // The arrays of `rows` outlive the pass.
  MaxoutBlock(const MaxoutParts& parts, MaxoutBlockRows rows) : parts_(parts), rows_(rows) {}

  // (..., i) to (n, width). `x` is kept for the way back.
  Tensor forward(Context& ctx, const Tensor& x);
  // Adds to the gradients of the parameters and gives that of x.
  Tensor backward(Context& ctx, const Tensor& dy) const;

 private:
  MaxoutBlockLayer layer(const Context& ctx) const;

  MaxoutParts parts_;
  MaxoutBlockRows rows_;
  Tensor x_, largest_, winners_, stats_;
};

}  // namespace weft
