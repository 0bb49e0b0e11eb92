// A residual maxout layer, or the mixing layer of an embedding, by the ops of its layers, but strip
// by strip of its rows: what stands between two ops lives for one strip. What MaxoutBlock is
// without a precision policy, this is under one: every op runs in the name of its layer, so that
// casts, formats and results are those of the layers one by one (docs/precision.md); gradients of
// parameters are rounded once, when all strips are there.
#pragma once

#include <cstddef>
#include <utility>

#include "framework/nn/fused/kept_mask.h"
#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// The layers; `residual`, `window` and `dropout` are null where there are none, the first two
// together.
struct StripLayers {
  const Model *residual, *window, *maxout, *norm, *dropout;
};

// What belongs to the rows (see MaxoutBlockLayer); it outlives the pass.
struct StripRows {
  ConstView place, seen;
};

// Whether layers may run so in this pass: on the CPU where a policy is followed, unless somebody
// watches the layers, or a rule casts what the level leaves in f32: windows and sums of rows are
// formed here without an op of their own.
WEFT_API bool runs_strips(const Context& ctx);

// One pass: forward once, then at most once back.
class LayerStrips {
 public:
  LayerStrips(const StripLayers& layers, StripRows rows, KeptMask mask)
      : layers_(layers), rows_(rows), mask_(std::move(mask)) {}

  // (m, i), m > 0, to (n, width). What is kept of the pass lies in `memory`, and so does the
  // result; `x` is kept.
  Tensor forward(Context& ctx, Allocator& memory, const Tensor& x);
  // Adds to the gradients of the parameters and gives that of x; in the memory of x, if it may
  // `replace` it and has its type.
  Tensor backward(Context& ctx, const Tensor& dy, bool replace);

 private:
  struct Range {
    std::int64_t first, count;
  };
  struct Sums;

  Tensor input_rows(Context& ctx, Range rows) const;
  Tensor forward_strip(Context& ctx, Allocator& memory, Range rows);
  Tensor maxout_strip(Context& ctx, Allocator& memory, Range rows);
  Tensor dropped(Context& ctx, Range rows, const Tensor& y) const;
  Tensor added(Context& ctx, Range rows, const Tensor& y) const;
  Tensor norm_backward(Context& ctx, Range rows, const Tensor& dy, const Sums& sums) const;
  Tensor backward_strip(Context& ctx, Range rows, const Tensor& dy, const Sums& sums) const;
  Tensor middle_rows(Range rows) const;
  template <class Take>
  void for_strips_back(Context& ctx, const Tensor& dy, const Take& take) const;
  Tensor plain_backward(Context& ctx, const Tensor& dy, bool replace);
  Tensor window_backward(Context& ctx, const Tensor& dy, bool replace);
  DType window_gradient_type(Context& ctx) const;
  Tensor gradient_array(Context& ctx, DType type, bool replace) const;

  StripLayers layers_;
  StripRows rows_;
  KeptMask mask_;
  Tensor x_, largest_, winners_, stats_;
};

// The most bytes that strips have taken on the calling thread at once.
WEFT_API std::size_t peak_of_strips();

}  // namespace weft
