#include "framework/nn/fused/block_formats.h"

#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout.h"
#include "framework/ops/window.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// An array of no rows: stands for those of its format where formats are asked for.
ConstView none_of(NumberFormat format) {
  return {nullptr, dtype_of(format), {0, 1}};
}

// The format of the result of Op, for inputs of these formats in that layer.
template <class Op, class... Formats>
NumberFormat given(Context& ctx, const Model& layer, Formats... inputs) {
  const LayerScope scope(ctx.watch(), layer.path());
  return format_of(ctx.result<Op>({0, 1}, none_of(inputs)...).dtype());
}

// The format of the gradient that Op gives for an array of that format.
template <class Op>
NumberFormat gradient(Context& ctx, const Model& layer, NumberFormat of) {
  const LayerScope scope(ctx.watch(), layer.path());
  return format_of(ctx.gradient<Op>(ctx.empty({0, 1}, dtype_of(of))).dtype());
}

}  // namespace

MaxoutBlockFormats forward_formats(Context& ctx, const MaxoutParts& parts, DType x, bool drops) {
  MaxoutBlockFormats f;
  if (ctx.formats() == nullptr) return f;
  const NumberFormat input = format_of(x);
  const NumberFormat weights = format_of(parts.maxout->param("W").value.dtype());
  f.rows = parts.window == nullptr ? input : given<WindowForward>(ctx, *parts.window, input);
  f.pieces = given<Affine>(ctx, *parts.maxout, f.rows, weights);
  f.largest = given<MaxoutForward>(ctx, *parts.maxout, f.pieces);
  f.normal = given<LayerNormForward>(ctx, *parts.norm, f.largest);
  f.dropped = drops ? given<Multiply>(ctx, *parts.dropout, f.normal) : f.normal;
  f.sum = parts.residual == nullptr ? f.dropped
                                    : given<AddInPlace>(ctx, *parts.residual, f.dropped, input);
  const LayerScope scope(ctx.watch(), parts.maxout->path());
  f.factors = ctx.input_format<Affine>();
  return f;
}

void add_backward_formats(Context& ctx, const MaxoutParts& parts, DType x, DType dy, bool drops,
                          MaxoutBlockFormats& f) {
  if (ctx.formats() == nullptr) return;
  const NumberFormat output = format_of(dy);
  f.d_normal = drops ? given<Multiply>(ctx, *parts.dropout, output) : output;
  f.d_largest = gradient<LayerNormBackward>(ctx, *parts.norm, f.largest);
  f.d_pieces = given<MaxoutBackward>(ctx, *parts.maxout, f.d_largest);
  f.d_rows = gradient<Gemm>(ctx, *parts.maxout, f.rows);
  f.d_input = f.d_rows;
  if (parts.window == nullptr) return;
  f.d_windows = gradient<WindowBackward>(ctx, *parts.window, format_of(x));
  f.d_input = given<AddInPlace>(ctx, *parts.residual, f.d_windows, output);
}

}  // namespace weft
