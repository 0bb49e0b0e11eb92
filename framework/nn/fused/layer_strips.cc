#include "framework/nn/fused/layer_strips.h"

#include <algorithm>
#include <utility>

#include "framework/nn/run_formats.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
#include "framework/ops/gemm.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout.h"
#include "framework/ops/reduce.h"
#include "framework/ops/window.h"
#include "framework/precision/convert.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// Weights are widened for each strip: long enough for that not to count.
constexpr std::int64_t kStrip = 512;

// What lives for one strip, and for one way back. Of the thread, and kept for its next pass.
thread_local Arena strip_memory, sum_memory;

// Gives memory back when the strip, or the way back, is done.
class Scratch {
 public:
  explicit Scratch(Arena& memory) : memory_(memory) {}
  ~Scratch() { memory_.reset(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  Arena& memory_;
};

// A tensor of no rows: stands for those of its type where formats are asked for.
Tensor no_rows(Context& ctx, DType type) {
  return ctx.empty({0, 1}, type);
}

// In the memory of the strip, in the format that the policy gives the op.
template <class Op, class... Inputs>
Tensor strip_result(Context& ctx, Shape shape, const Inputs&... inputs) {
  return {strip_memory, shape, ctx.result<Op>({0, 1}, inputs...).dtype()};
}

template <class Op>
Tensor strip_gradient(Context& ctx, const Tensor& of) {
  return {strip_memory, of.shape(), ctx.gradient<Op>(no_rows(ctx, of.dtype())).dtype()};
}

// Rows [first, first + count) of an array of which the first strip decides the type.
Tensor kept_rows(Allocator& memory, Tensor& all, Shape whole, DType type, std::int64_t first,
                 std::int64_t count) {
  if (!all) all = Tensor(memory, whole, type);
  return all.rows(first, first + count);
}

// Adds row i of `rows` to row numbers[i] of `sums`, in order; none where that is negative.
void add_rows(const Tensor& rows, const std::int32_t* numbers, View sums) {
  Tensor wide(strip_memory, rows.shape(), DType::f32);
  cast_rows(rows, wide.view());
  const std::int64_t width = sums.cols();
  const float* from = wide.data<float>();
  for (std::int64_t i = 0; i < wide.size() / width; ++i, from += width) {
    if (numbers[i] < 0) continue;
    float* to = sums.row<float>(numbers[i]);
    for (std::int64_t j = 0; j < width; ++j) to[j] += from[j];
  }
}

Tensor matrix(const Parameter& w) {
  return w.value.reshaped({w.value.dim(0) * w.value.dim(1), w.value.dim(2)});
}

// The sums over rows that go to the gradient of one parameter: f32 until all strips are there.
class GradientSum {
 public:
  GradientSum(Context& ctx, const Model& layer, std::string_view param)
      : layer_(layer), param_(layer.param(param)), sum_(Model::grad(ctx, param_)) {
    if (sum_.dtype() == DType::f32) return;
    sum_ = Tensor(sum_memory, sum_.shape(), DType::f32);
    sum_.fill_zero();
  }

  View view() const { return Tensor(sum_).view(); }
  View matrix(std::int64_t columns) const {
    return sum_.reshaped({sum_.size() / columns, columns}).view();
  }
  void finish(Context& ctx) const {
    Tensor& gradient = Model::grad(ctx, param_);
    if (gradient.cview().data == sum_.cview().data) return;
    const LayerScope scope(ctx.watch(), layer_.path());
    ctx.run<AddInPlace>(gradient.view(), sum_);
  }

 private:
  const Model& layer_;
  const Parameter& param_;
  Tensor sum_;
};

}  // namespace

struct LayerStrips::Sums {
  Sums(Context& ctx, const StripLayers& layers)
      : weights(ctx, *layers.maxout, "W"),
        shift(ctx, *layers.maxout, "b"),
        gain(ctx, *layers.norm, "G"),
        bias(ctx, *layers.norm, "b") {}
  void finish(Context& ctx) const {
    for (const GradientSum* sum : {&weights, &shift, &gain, &bias}) sum->finish(ctx);
  }
  GradientSum weights, shift, gain, bias;
};

bool runs_strips(const Context& ctx) {
  if (!ctx.on_cpu() || ctx.formats() == nullptr || ctx.watch().observer() != nullptr) return false;
  const auto& rules = ctx.formats()->policy().rules;
  return std::none_of(rules.begin(), rules.end(),
                      [](const auto& rule) { return rule.compute == Compute::low; });
}

std::size_t peak_of_strips() {
  return strip_memory.peak() + sum_memory.peak();
}

// The rows of the layer's input, as WindowForward gives them.
Tensor LayerStrips::input_rows(Context& ctx, Range rows) const {
  if (!rows_.seen) return x_.rows(rows.first, rows.first + rows.count);
  const LayerScope scope(ctx.watch(), layers_.window->path());
  const std::int64_t seen = rows_.seen.cols(), width = x_.dim(1);
  Tensor wide = strip_result<WindowForward>(ctx, {rows.count, seen * width}, x_);
  const ConstView index(rows_.seen.row<std::int32_t>(rows.first), DType::i32,
                        {rows.count * seen, 1});
  kernel_of<GatherRows>(ctx.device().kind)(ctx.stream(), x_, index,
                                           wide.reshaped({rows.count * seen, width}).view());
  return wide;
}

Tensor LayerStrips::maxout_strip(Context& ctx, Allocator& memory, Range rows) {
  const LayerScope scope(ctx.watch(), layers_.maxout->path());
  const Parameter& w = layers_.maxout->param("W");
  const std::int64_t outputs = w.value.dim(0), pieces = w.value.dim(1), count = rows.count;
  const Tensor wide = input_rows(ctx, rows);
  Tensor z = strip_result<Affine>(ctx, {count, outputs, pieces}, wide, w.value);
  ctx.run<Affine>(wide, matrix(w), layers_.maxout->param("b").value,
                  z.reshaped({count, outputs * pieces}).view());
  const DType type = ctx.result<MaxoutForward>({0, 1}, z).dtype();
  Tensor best =
      kept_rows(memory, largest_, {winners_.dim(0), outputs}, type, rows.first, rows.count);
  ctx.run<MaxoutForward>(z, best.view(), winners_.rows(rows.first, rows.first + rows.count).view());
  return best;
}

// As the dropout layer gives it.
Tensor LayerStrips::dropped(Context& ctx, Range rows, const Tensor& y) const {
  if (!mask_) return y;
  const LayerScope scope(ctx.watch(), layers_.dropout->path());
  Tensor mask(strip_memory, y.shape(), DType::f32);
  mask_.copy_rows(rows_.place.as<std::int32_t>() + rows.first, mask.view());
  Tensor result = strip_result<Multiply>(ctx, y.shape(), y);
  ctx.run<Multiply>(y, mask, result.view());
  return result;
}

// The numbers of the rows of x in the middle of those that are seen.
Tensor LayerStrips::middle_rows(Range rows) const {
  Tensor middle(strip_memory, {rows.count, 1}, DType::i32);
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const auto* seen = rows_.seen.row<std::int32_t>(rows.first + i);
    middle.data<std::int32_t>()[i] = seen[rows_.seen.cols() / 2];
  }
  return middle;
}

// With the rows of x added, as the residual layer does it.
Tensor LayerStrips::added(Context& ctx, Range rows, const Tensor& y) const {
  if (layers_.residual == nullptr) return y;
  const LayerScope scope(ctx.watch(), layers_.residual->path());
  Tensor own(strip_memory, y.shape(), x_.dtype());
  kernel_of<GatherRows>(ctx.device().kind)(ctx.stream(), x_, middle_rows(rows), own.view());
  Tensor sum = strip_result<AddInPlace>(ctx, y.shape(), y, own);
  ctx.run<CopyRows>(y, sum.view());
  ctx.run<AddInPlace>(sum.view(), own);
  return sum;
}

Tensor LayerStrips::forward_strip(Context& ctx, Allocator& memory, Range rows) {
  const Tensor best = maxout_strip(ctx, memory, rows);
  const LayerScope scope(ctx.watch(), layers_.norm->path());
  Tensor y = strip_result<LayerNormForward>(ctx, best.shape(), best);
  ctx.run<LayerNormForward>(best, layers_.norm->param("G").value, layers_.norm->param("b").value,
                            y.view(), stats_.rows(rows.first, rows.first + rows.count).view());
  return added(ctx, rows, dropped(ctx, rows, y));
}

Tensor LayerStrips::forward(Context& ctx, Allocator& memory, const Tensor& x) {
  const std::int64_t n = rows_.seen ? rows_.seen.rows() : x.dim(0);
  const std::int64_t width = layers_.maxout->param("W").value.dim(0);
  x_ = x;
  winners_ = ctx.empty({n, width}, DType::u8);
  stats_ = ctx.empty({n, 2});
  Tensor y;
  for (std::int64_t first = 0; first < n; first += kStrip) {
    const Scratch scratch(strip_memory);
    const Range rows{first, std::min(kStrip, n - first)};
    const Tensor strip = forward_strip(ctx, memory, rows);
    Tensor to = kept_rows(memory, y, {n, width}, strip.dtype(), rows.first, rows.count);
    to.copy_from(strip);
  }
  return y;
}

Tensor LayerStrips::norm_backward(Context& ctx, Range rows, const Tensor& dy,
                                  const Sums& sums) const {
  const std::int64_t end = rows.first + rows.count;
  const Tensor best = largest_.rows(rows.first, end);
  const LayerScope scope(ctx.watch(), layers_.norm->path());
  Tensor d_best = strip_gradient<LayerNormBackward>(ctx, best);
  ctx.run<LayerNormBackward>(dy, best, stats_.rows(rows.first, end), layers_.norm->param("G").value,
                             d_best.view(), sums.gain.view(), sums.bias.view());
  return d_best;
}

// The gradient of the rows of the layer's input.
Tensor LayerStrips::backward_strip(Context& ctx, Range rows, const Tensor& dy,
                                   const Sums& sums) const {
  const Tensor d_best = norm_backward(ctx, rows, dropped(ctx, rows, dy), sums);
  const LayerScope scope(ctx.watch(), layers_.maxout->path());
  const Parameter& w = layers_.maxout->param("W");
  const std::int64_t outputs = w.value.dim(0), pieces = w.value.dim(1);
  Tensor dz = strip_result<MaxoutBackward>(ctx, {rows.count, outputs, pieces}, d_best);
  ctx.run<MaxoutBackward>(d_best, winners_.rows(rows.first, rows.first + rows.count), dz.view());
  const Tensor d_sum = dz.reshaped({rows.count, outputs * pieces});
  const Tensor wide = input_rows(ctx, rows);
  ctx.run<Gemm>(d_sum, Transpose::yes, wide, Transpose::no, sums.weights.matrix(w.value.dim(2)),
                1.0F);
  ctx.run<AddColumnSums>(d_sum, sums.shift.view());
  Tensor d_rows = strip_gradient<Gemm>(ctx, wide);
  ctx.run<Gemm>(d_sum, Transpose::no, matrix(w), Transpose::no, d_rows.view(), 0.0F);
  return d_rows;
}

// The way back of all strips; `take` is given each range and the gradient of its input rows.
template <class Take>
void LayerStrips::for_strips_back(Context& ctx, const Tensor& dy, const Take& take) const {
  const Sums sums(ctx, layers_);
  for (std::int64_t first = 0; first < dy.dim(0); first += kStrip) {
    const Scratch scratch(strip_memory);
    const Range rows{first, std::min(kStrip, dy.dim(0) - first)};
    take(rows, backward_strip(ctx, rows, dy.rows(first, first + rows.count), sums));
  }
  sums.finish(ctx);
}

Tensor LayerStrips::plain_backward(Context& ctx, const Tensor& dy, bool replace) {
  Tensor dx;
  for_strips_back(ctx, dy, [&](Range rows, const Tensor& d_rows) {
    if (!dx) dx = gradient_array(ctx, d_rows.dtype(), replace);
    dx.rows(rows.first, rows.first + rows.count).copy_from(d_rows);
  });
  return dx;
}

// What the window layer gives is rounded before the residual layer adds to it.
Tensor LayerStrips::window_backward(Context& ctx, const Tensor& dy, bool replace) {
  Tensor sums(sum_memory, x_.shape(), DType::f32);
  sums.fill_zero();
  const auto* seen = rows_.seen.as<std::int32_t>();
  for_strips_back(ctx, dy, [&](Range rows, const Tensor& d_rows) {
    add_rows(d_rows, seen + rows.first * rows_.seen.cols(), sums.view());
  });
  const DType type = window_gradient_type(ctx);
  const LayerScope scope(ctx.watch(), layers_.residual->path());
  const DType sum_type = ctx.result<AddInPlace>({0, 1}, no_rows(ctx, type), dy).dtype();
  for (const DType rounded : {type, sum_type}) {
    round_to(format_of(rounded), {sums.data<float>(), static_cast<std::size_t>(sums.size())});
  }
  for (std::int64_t first = 0; first < dy.dim(0); first += kStrip) {
    const Scratch scratch(strip_memory);
    const Range rows{first, std::min(kStrip, dy.dim(0) - first)};
    const Tensor middle = middle_rows(rows);
    add_rows(dy.rows(first, first + rows.count), middle.data<std::int32_t>(), sums.view());
  }
  Tensor dx = gradient_array(ctx, sum_type, replace);
  cast_rows(sums, dx.view());
  return dx;
}

DType LayerStrips::window_gradient_type(Context& ctx) const {
  const LayerScope scope(ctx.watch(), layers_.window->path());
  return ctx.gradient<WindowBackward>(no_rows(ctx, x_.dtype())).dtype();
}

// For the gradient of x, which is not read any more.
Tensor LayerStrips::gradient_array(Context& ctx, DType type, bool replace) const {
  return replace && type == x_.dtype() ? x_ : ctx.empty(x_.shape(), type);
}

Tensor LayerStrips::backward(Context& ctx, const Tensor& dy, bool replace) {
  const Scratch scratch(sum_memory);
  return rows_.seen ? window_backward(ctx, dy, replace) : plain_backward(ctx, dy, replace);
}

}  // namespace weft
