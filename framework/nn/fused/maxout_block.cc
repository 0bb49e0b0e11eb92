#include "framework/nn/fused/maxout_block.h"

#include <algorithm>

#include "framework/nn/fused/block_formats.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/op_casts.h"
#include "framework/ops/pass_formats.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// Memory of one pass, forward or backward, through a block under a policy.
class Scratch {
 public:
  explicit Scratch(Context& ctx) : arena_(ctx.cast_scratch()) {}
  ~Scratch() { arena_->reset(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Arena& memory() { return *arena_; }

 private:
  ObjectPool<Arena>::Lease arena_;
};

// A parameter as Op sees it in its layer, in f32.
template <class Op>
ConstView seen_by(Context& ctx, Arena& scratch, const Model& layer, std::string_view name,
                  Shape shape) {
  const Tensor& parameter = layer.param(name).value;
  const ConstView value(parameter.cview().data, parameter.dtype(), shape);
  if (ctx.formats() == nullptr) return value;
  const LayerScope scope(ctx.watch(), layer.path());
  OpCasts casts(ctx, slot_of<Op>());
  casts.look_at<ConstView>(value);
  const ConstView seen = casts.input(value);
  if (seen.data == value.data) return value;
  Tensor copy(scratch, shape, DType::f32);
  cast_rows(seen, copy.view());
  return copy.cview();
}

// The sums over rows that go to the gradient of one parameter: where that has 16 bits, in f32
// beside it until all rows are there.
class GradientSum {
 public:
  // Fresh: the contents are undefined. Else zeros, or what was added before.
  GradientSum(Context& ctx, Arena& scratch, const Model& layer, std::string_view param,
              bool may_be_fresh = false)
      : layer_(layer) {
    const Gradients::Fresh own = ctx.gradients().of_fresh(layer.param(param));
    sum_ = gradient_ = own.array;
    const bool is_wide = gradient_.dtype() == DType::f32;
    is_fresh_ = own.is_fresh && may_be_fresh && is_wide;
    if (own.is_fresh && !is_fresh_) gradient_.fill_zero();
    if (is_wide) return;
    sum_ = Tensor(scratch, gradient_.shape(), DType::f32);
    sum_.fill_zero();
  }

  bool is_fresh() const { return is_fresh_; }
  View view() { return sum_.view(); }
  void finish(Context& ctx) {
    if (gradient_.dtype() == DType::f32) return;
    const LayerScope scope(ctx.watch(), layer_.path());
    ctx.run<AddInPlace>(gradient_.view(), sum_);
  }

 private:
  const Model& layer_;
  Tensor gradient_, sum_;
  bool is_fresh_ = false;
};

}  // namespace

bool runs_blocks(const Context& ctx) {
  if (!ctx.on_cpu() || ctx.watch().observer() != nullptr) return false;
  if (ctx.formats() == nullptr) return true;
  const auto& rules = ctx.formats()->policy().rules;
  return std::none_of(rules.begin(), rules.end(),
                      [](const auto& rule) { return rule.compute == Compute::low; });
}

MaxoutBlockLayer MaxoutBlock::layer(Context& ctx, Arena& scratch) const {
  const Model &maxout = *parts_.maxout, &norm = *parts_.norm;
  const Shape w = maxout.param("W").value.shape();
  const bool casts = ctx.formats() != nullptr;
  return {.weights = seen_by<Affine>(ctx, scratch, maxout, "W", {w[0] * w[1], w[2]}),
          .shift = seen_by<Affine>(ctx, scratch, maxout, "b", {w[0], w[1]}),
          .gain = seen_by<LayerNormForward>(ctx, scratch, norm, "G", {w[0]}),
          .bias = seen_by<LayerNormForward>(ctx, scratch, norm, "b", {w[0]}),
          .mask = mask_.numbers(),
          .place = rows_.place,
          .seen = rows_.seen,
          // Rows go in order, and rounded weights are the pass's own.
          .sharing = casts ? WorkSharing() : ctx.pass().sharing(),
          .kept = mask_.kept(),
          .formats = casts ? &formats_ : nullptr};
}

Tensor MaxoutBlock::forward(Context& ctx, Allocator& memory, const Tensor& x) {
  const std::int64_t n = rows_.seen ? rows_.seen.rows() : x.dim(0), width = parts_.width();
  x_ = x;
  formats_ = forward_formats(ctx, parts_, x.dtype(), static_cast<bool>(mask_));
  largest_ = Tensor(memory, {n, width}, dtype_of(formats_.largest));
  winners_ = ctx.empty({n, width}, DType::u8);
  stats_ = ctx.empty({n, 2});
  Tensor y(memory, {n, width}, dtype_of(formats_.sum));
  Scratch while_it_runs(ctx);
  Arena& scratch = while_it_runs.memory();
  const LayerScope scope(ctx.watch(), parts_.maxout->path());
  ctx.run<MaxoutBlockForward>(
      layer(ctx, scratch),
      MaxoutBlockForward::Arrays{x, largest_.view(), winners_.view(), stats_.view(), y.view()});
  return y;
}

Tensor MaxoutBlock::backward(Context& ctx, const Tensor& dy, bool replace) {
  add_backward_formats(ctx, parts_, x_.dtype(), dy.dtype(), static_cast<bool>(mask_), formats_);
  const DType type = dtype_of(formats_.d_input);
  const bool in_place = replace && ctx.formats() != nullptr && type == x_.dtype();
  Tensor dx = in_place ? x_ : ctx.empty(x_.shape(), type);
  Scratch while_it_runs(ctx);
  Arena& scratch = while_it_runs.memory();
  Tensor sums;
  if (ctx.formats() != nullptr && rows_.seen) sums = Tensor(scratch, x_.shape(), DType::f32);
  GradientSum weights(ctx, scratch, *parts_.maxout, "W", true),
      shift(ctx, scratch, *parts_.maxout, "b");
  GradientSum gain(ctx, scratch, *parts_.norm, "G"), bias(ctx, scratch, *parts_.norm, "b");
  const LayerScope scope(ctx.watch(), parts_.maxout->path());
  ctx.run<MaxoutBlockBackward>(
      layer(ctx, scratch),
      MaxoutBlockGradients{weights.view(), shift.view(), gain.view(), bias.view(),
                           weights.is_fresh()},
      MaxoutBlockBackward::Arrays{dy, x_, largest_, winners_, stats_, dx.view(), sums.view()});
  for (GradientSum* sum : {&weights, &shift, &gain, &bias}) sum->finish(ctx);
  return dx;
}

}  // namespace weft
