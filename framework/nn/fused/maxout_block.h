// An affine map with maxout and layer norm behind it, whose rows may be dropped in part and added
// to those of another array: what the layers of embeddings and window encoders have in common.
// Computed by ops that stand for several (framework/ops/maxout_block.h), on the CPU and, without a
// precision policy, on devices. Under a policy they round where the layers' own ops do, so that
// formats and results are those of the layers one by one (docs/precision.md); gradients of
// parameters are rounded once.
#pragma once

#include <optional>
#include <utility>

#include "framework/nn/fused/maxout_parts.h"
#include "framework/nn/fused/saved_mask.h"
#include "framework/ops/maxout_block.h"
#include "registry/base/export.h"

namespace weft {

// Whether layers may run as blocks in this pass: where there is a kernel, unless somebody watches
// the layers, or a rule of the policy casts what its level leaves in f32: windows and sums of rows
// are formed here without an op of their own. Under a policy the kernel has to take all formats.
WEFT_API bool runs_blocks(const Context& ctx);

// Whether the weights of such a block are packed for this pass, as its kernel sees them. A row is
// computed alike then whatever rows are beside it.
WEFT_API bool has_packed_weights(Context& ctx, const MaxoutParts& parts);

// Arrays that tell of the rows of a block (see MaxoutBlockLayer); they outlive the pass.
struct MaxoutBlockRows {
  ConstView place, seen, seen_by = {};
};

// The factors of a dropout layer: a mask, draws of which a kernel makes one, or neither where
// nothing is dropped.
struct BlockDropout {
  SavedMask mask;
  std::optional<DropoutDraws> draws = {};
};

// One pass through such a block: forward once, then at most once back.
class MaxoutBlock {
 public:
  MaxoutBlock(const MaxoutParts& parts, MaxoutBlockRows rows, BlockDropout dropout)
      : parts_(parts), rows_(rows), dropout_(std::move(dropout)) {}

  // (..., i) to (n, width). The result, and arrays kept in its type, lie in `memory`. `x` is kept
  // for the backward pass, and with it, in training, all that it needs.
  Tensor forward(Context& ctx, Allocator& memory, const Tensor& x);
  // Adds to the gradients of the parameters and gives that of x: under a policy in the memory of
  // x, if it may `replace` it and has its type.
  Tensor backward(Context& ctx, const Tensor& dy, bool replace);

 private:
  MaxoutBlockLayer layer(Context& ctx, Arena& scratch) const;

  MaxoutParts parts_;
  MaxoutBlockRows rows_;
  BlockDropout dropout_;
  MaxoutBlockFormats formats_;
  Tensor x_, largest_, winners_, stats_;
  Tensor window_rows_;  // on a device
};

}  // namespace weft
