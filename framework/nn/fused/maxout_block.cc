#include "framework/nn/fused/maxout_block.h"

#include <algorithm>

#include "framework/nn/fused/block_formats.h"
#include "framework/nn/gradients.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/op_casts.h"
#include "framework/ops/packed_weights.h"
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

// A parameter as an op sees it. `lasts`: whether its numbers stay where they are for the step, so
// that the other passes of the step find them there too.
struct SeenParameter {
  ConstView numbers;
  bool lasts;
};

bool lasts(Context& ctx, ConstView seen, ConstView parameter) {
  if (seen.data == parameter.data) return true;
  const Tensor* copy = ctx.formats()->copy_of(parameter.data, nullptr);
  return copy != nullptr && copy->cview().data == seen.data;
}

// As Op sees it in its layer: as it is stored, or, if it has to be, in f32.
template <class Op>
SeenParameter seen_by(Context& ctx, Arena& scratch, const Model& layer, std::string_view name,
                      Shape shape, bool in_f32 = true) {
  const Tensor& parameter = layer.param(name).value;
  const ConstView value(parameter.cview().data, parameter.dtype(), shape);
  if (ctx.formats() == nullptr) return {ctx.resident(value), true};
  const LayerScope scope(ctx.watch(), layer.path());
  OpCasts casts(ctx, slot_of<Op>());
  casts.look_at<ConstView>(value);
  const ConstView seen = casts.input(value);
  if (lasts(ctx, seen, value) && (seen.dtype == DType::f32 || !in_f32)) {
    return {{seen.data, seen.dtype, shape}, true};
  }
  Tensor copy(scratch, shape, DType::f32);
  cast_rows(seen, copy.view());
  return {copy.cview(), false};
}

// The sums over rows that go to the gradient of one parameter: where that has 16 bits, in f32
// beside it until all rows are there.
class GradientSum {
 public:
  // Uninitialised: the contents are undefined. Else zeros, or earlier sums. Kernels of devices
  // write what those of the CPU would add to zeros, but for the weights.
  GradientSum(Context& ctx, Arena& scratch, const Model& layer, std::string_view param,
              bool may_be_uninitialised)
      : layer_(layer) {
    const Gradients::Accumulator own = ctx.gradients().accumulator_of(layer.param(param));
    sum_ = gradient_ = own.array;
    const bool is_wide = gradient_.dtype() == DType::f32;
    is_uninitialised_ = own.is_uninitialised && may_be_uninitialised && is_wide;
    if (own.is_uninitialised && !is_uninitialised_) gradient_.fill_zero();
    if (is_wide) return;
    sum_ = Tensor(scratch, gradient_.shape(), DType::f32);
    sum_.fill_zero();
  }

  bool is_uninitialised() const { return is_uninitialised_; }
  View view() { return sum_.view(); }
  void finish(Context& ctx) {
    if (gradient_.dtype() == DType::f32) return;
    const LayerScope scope(ctx.watch(), layer_.path());
    ctx.run<AddInPlace>(gradient_.view(), sum_);
  }

 private:
  const Model& layer_;
  Tensor gradient_, sum_;
  bool is_uninitialised_ = false;
};

}  // namespace

bool runs_blocks(const Context& ctx) {
  if (!ctx.has<MaxoutBlockForward>() || ctx.watch().observer() != nullptr) return false;
  if (ctx.formats() == nullptr) return true;
  if (!slot_of<MaxoutBlockForward>().takes_any_format(ctx.device().kind)) return false;
  const auto& rules = ctx.formats()->policy().rules;
  return std::none_of(rules.begin(), rules.end(),
                      [](const auto& rule) { return rule.compute == Compute::low; });
}

bool has_packed_weights(Context& ctx, const MaxoutParts& parts) {
  PackedWeights* packed = ctx.pass().sharing().packed;
  if (packed == nullptr) return false;
  const void* own = parts.maxout->param("W").value.cview().data;
  if (packed->has(own)) return true;
  const Tensor* copy = ctx.formats() == nullptr ? nullptr : ctx.formats()->copy_of(own, nullptr);
  return copy != nullptr && packed->has(copy->cview().data);
}

MaxoutBlockLayer MaxoutBlock::layer(Context& ctx, Arena& scratch) const {
  const Model &maxout = *parts_.maxout, &norm = *parts_.norm;
  const Shape w = maxout.param("W").value.shape();
  const bool casts = ctx.formats() != nullptr;
  const SeenParameter weights =
      seen_by<Affine>(ctx, scratch, maxout, "W", {w[0] * w[1], w[2]}, false);
  WorkSharing sharing = ctx.pass().sharing();
  if (!weights.lasts) sharing.packed = nullptr;
  return {.weights = weights.numbers,
          .bias = seen_by<Affine>(ctx, scratch, maxout, "b", {w[0], w[1]}).numbers,
          .gamma = seen_by<LayerNormForward>(ctx, scratch, norm, "G", {w[0]}).numbers,
          .beta = seen_by<LayerNormForward>(ctx, scratch, norm, "b", {w[0]}).numbers,
          .mask = dropout_.mask.numbers(),
          .place = rows_.place,
          .seen = rows_.seen,
          .sharing = sharing,
          .keep_scale = dropout_.mask.keep_scale(),
          .formats = casts ? &formats_ : nullptr,
          .draws = dropout_.draws,
          .seen_by = rows_.seen_by};
}

Tensor MaxoutBlock::forward(Context& ctx, Allocator& memory, const Tensor& x) {
  const std::int64_t n = rows_.seen ? rows_.seen.rows() : x.dim(0), width = parts_.width();
  formats_ = forward_formats(ctx, parts_, x.dtype(), static_cast<bool>(dropout_.mask));
  if (ctx.training()) {
    x_ = x;
    largest_ = Tensor(memory, {n, width}, dtype_of(formats_.largest));
    winners_ = ctx.empty({n, width}, DType::u8);
    stats_ = ctx.empty({n, 2});
  }
  Tensor y(memory, {n, width}, dtype_of(formats_.sum));
  if (rows_.seen_by) window_rows_ = ctx.empty({n, rows_.seen.cols() * x.dim(1)});
  Scratch while_it_runs(ctx);
  Arena& scratch = while_it_runs.memory();
  const LayerScope scope(ctx.watch(), parts_.maxout->path());
  ctx.run<MaxoutBlockForward>(
      layer(ctx, scratch),
      MaxoutBlockForward::Arrays{x, largest_.view(), winners_.view(), stats_.view(), y.view(),
                                 window_rows_.view()});
  return y;
}

Tensor MaxoutBlock::backward(Context& ctx, const Tensor& dy, bool replace) {
  add_backward_formats(ctx, parts_, x_.dtype(), dy.dtype(), static_cast<bool>(dropout_.mask),
                       formats_);
  const DType type = dtype_of(formats_.d_input);
  const bool in_place = replace && ctx.formats() != nullptr && type == x_.dtype();
  Tensor dx = in_place ? x_ : ctx.empty(x_.shape(), type);
  Scratch while_it_runs(ctx);
  Arena& scratch = while_it_runs.memory();
  Tensor sums;
  if (ctx.formats() != nullptr && rows_.seen) sums = Tensor(scratch, x_.shape(), DType::f32);
  const bool writes_all = !ctx.uses_host_memory();
  GradientSum weights(ctx, scratch, *parts_.maxout, "W", true),
      bias(ctx, scratch, *parts_.maxout, "b", writes_all),
      gamma(ctx, scratch, *parts_.norm, "G", writes_all),
      beta(ctx, scratch, *parts_.norm, "b", writes_all);
  const LayerScope scope(ctx.watch(), parts_.maxout->path());
  ctx.run<MaxoutBlockBackward>(
      layer(ctx, scratch),
      MaxoutBlockGradients{weights.view(), bias.view(), gamma.view(), beta.view(),
                           weights.is_uninitialised(), bias.is_uninitialised(),
                           gamma.is_uninitialised(), beta.is_uninitialised()},
      MaxoutBlockBackward::Arrays{dy, x_, largest_, winners_, stats_, dx.view(), sums.view(),
                                  window_rows_});
  for (GradientSum* sum : {&weights, &bias, &gamma, &beta}) sum->finish(ctx);
  return dx;
}

}  // namespace weft
