// The backward pass of a parser's scoring network: from the record of the states of a pass, through
// the upper layer and the lower one, to the vectors of the tokens.
#include <cstdint>
#include <vector>

#include "framework/nn/add_gradient.h"
#include "framework/nn/layer_run.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/parser/parser_network.h"
#include "framework/parser/parser_network_parts.h"

namespace weft {

namespace {

View scores_of(const ScorerShape& shape, const TransitionRecord& record) {
  return {record.d_scores, DType::f32, {record.rows, shape.classes}};
}

// The loss has been taken; from here on gradients are scaled.
void scale_gradient(Context& ctx, const ScorerShape& shape, TransitionRecord& record) {
  if (ctx.pass().loss_scale() == 1.0F) return;
  const View d_scores = scores_of(shape, record);
  ctx.run_plain<Scale>(d_scores, ctx.pass().loss_scale(), d_scores);
}

// In f32, in the context's memory.
Tensor widened(Context& ctx, const Tensor& tensor) {
  if (tensor.dtype() == DType::f32) return tensor;
  Tensor wide = ctx.empty(tensor.shape());
  ctx.cast(tensor, wide.view());
  return wide;
}

// Backward through the upper layer, whose gradients are added to: d_W += d_scores^T hidden, d_b +=
// sums of columns. Gives d_hidden = d_scores W, masked as the forward pass was, f32.
Tensor upper_backward(Context& ctx, const Model& parser, const ScorerShape& shape,
                      const TransitionRecord& record, const Tensor& mask) {
  const std::int64_t rows = record.rows;
  const ConstView d_scores = scores_of(shape, record);
  if (!shape.has_upper) {
    Tensor d_hidden = ctx.empty({rows, shape.hidden});
    ctx.cast(d_scores, d_hidden.view());
    return d_hidden;
  }
  const ConstView hidden(record.hidden, DType::f32, {rows, shape.hidden});
  const Model& upper = parser.ref("upper");
  const LayerScope scope(ctx.watch(), upper.path());
  Tensor d_hidden = ctx.result<Gemm>({rows, shape.hidden}, d_scores);
  add_weight_gradient(ctx, upper.param("W"), d_scores, hidden);
  add_bias_gradient(ctx, upper.param("b"), d_scores);
  ctx.run<Gemm>(d_scores, Transpose::no, upper.param("W").value.cview(), Transpose::no,
                d_hidden.view(), 0.0F);
  ctx.run<MultiplyInPlace>(d_hidden.view(), mask.rows(0, rows).cview());
  tell_went_back(ctx, upper, d_scores, d_hidden);
  return widened(ctx, d_hidden);
}

// Arrays of zeros that lie one behind the other: a device makes them at once.
std::vector<Tensor> zeros_of(Context& ctx, const std::vector<Shape>& shapes) {
  constexpr std::int64_t kAlignment = 64;  // numbers
  const auto room = [](Shape shape) {
    return (shape.size() + kAlignment - 1) / kAlignment * kAlignment;
  };
  std::int64_t count = 0;
  for (const Shape& shape : shapes) count += room(shape);
  const Tensor all = ctx.zeros({count});
  std::vector<Tensor> parts;
  std::int64_t begin = 0;
  for (const Shape& shape : shapes) {
    parts.push_back(all.rows(begin, begin + shape.size()).reshaped(shape));
    begin += room(shape);
  }
  return parts;
}

// Adds to the gradients of the lower layer; gives those of the token vectors and of the pad. The
// states' gradients are first gathered into a row for each token (and one for the missing feature),
// so that the GEMMs here have a row for each token and not one for each state and feature.
void lower_backward(Context& ctx, const Model& parser, const Tensor& vectors,
                    const Tensor& d_hidden, ParserGradient& result) {
  const ScorerShape shape = scorer_shape(parser);
  const Model& lower = parser.ref("lower");
  const LayerScope scope(ctx.watch(), lower.path());
  std::vector<Tensor> zeros = zeros_of(ctx, {{vectors.dim(0), shape.row()},
                                             {shape.features, shape.hidden, shape.pieces},
                                             lower.param("b").value.shape()});
  Tensor &d_rows = zeros[0], &d_bias = zeros[2];
  result.d_pad = zeros[1];
  ctx.run<TransitionScatter>(shape, result.record, d_hidden.data<float>(), d_rows.data<float>(),
                             result.d_pad.data<float>(), d_bias.data<float>());
  add_gradient(ctx, lower.param("b"), d_bias.cview());
  add_gradient(ctx, lower.param("pad"), result.d_pad.cview());
  const Tensor weight = lower_matrix(parser);
  add_weight_gradient(ctx, lower.param("W"), d_rows, vectors);
  result.d_vectors = ctx.gradient<Gemm>(vectors);
  ctx.run<Gemm>(d_rows.cview(), Transpose::no, weight.cview(), Transpose::no,
                result.d_vectors.view(), 0.0F);
  tell_went_back(ctx, lower, d_hidden, result.d_vectors);
}

}  // namespace

TransitionRecord record_for(Context& ctx, const ScorerShape& shape, std::int64_t rows) {
  TransitionRecord record;
  record.hidden = ctx.empty({rows, shape.hidden}).data<float>();
  record.winners = ctx.empty({rows, shape.hidden}, DType::u8).data<std::uint8_t>();
  record.features = ctx.empty({rows, shape.features}, DType::i32).data<std::int32_t>();
  record.d_scores = ctx.empty({rows, shape.classes}).data<float>();
  record.classes = ctx.empty({rows}, DType::i32).data<std::int32_t>();
  record.state = ctx.empty({rows}, DType::i32).data<std::int32_t>();
  return record;
}

void go_back(Context& ctx, const Model& parser, const Tensor& vectors, const Tensor& mask,
             ParserGradient& result) {
  const ScorerShape shape = scorer_shape(parser);
  if (result.record.rows == 0) {  // a search may leave nothing to learn
    lower_backward(ctx, parser, vectors, ctx.zeros({1, shape.hidden}), result);
    return;
  }
  scale_gradient(ctx, shape, result.record);
  const Tensor d_hidden = upper_backward(ctx, parser, shape, result.record, mask);
  lower_backward(ctx, parser, vectors, d_hidden, result);
}

}  // namespace weft
