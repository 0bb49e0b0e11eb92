// The backward pass of a parser's scoring network: from the record of the states of a pass, through
// the upper layer and the lower one, to the vectors of the tokens.
#include <cstdint>
#include <vector>

#include "framework/nn/add_gradient.h"
#include "framework/nn/gradients.h"
#include "framework/nn/layer_run.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
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

// The tokens of a pass by the features that states have them as.
struct TokenGroups {
  Tensor order, place;       // see TransitionSingles; not looked at without singles
  std::int64_t singles = 0;  // tokens with the first feature alone
};

TokenGroups token_groups(Context& ctx, const ScorerShape& shape, const TransitionRecord& record,
                         std::int64_t tokens) {
  TokenGroups groups;
  if (!ctx.has<TransitionSingles>()) return groups;
  groups.order = ctx.empty({tokens}, DType::i32);
  groups.place = ctx.empty({tokens}, DType::i32);
  ctx.run<TransitionSingles>(shape, record, groups.order.view(), groups.place.view(),
                             groups.singles);
  return groups;
}

// Rows in another order, of the same type.
Tensor gathered(Context& ctx, const Tensor& rows, const Tensor& numbers) {
  Tensor result = ctx.empty(rows.shape(), rows.dtype());
  ctx.run<GatherRows>(rows, numbers, result.view());
  return result;
}

// The gradients of lower rows by features (see LowerGradient), of tokens in the groups' order.
struct FeatureGradients {
  Tensor first, rest;

  std::int64_t singles() const { return first.dim(0) - rest.dim(0); }
};

// d_W += d^T vectors: one GEMM for the weights of the first feature, and one for the others'.
void add_weight_gradients(Context& ctx, const Parameter& weights, const FeatureGradients& d,
                          const Tensor& vectors) {
  const Gradients::Accumulator gradient = ctx.gradients().accumulator_of(weights);
  const std::int64_t tokens = vectors.dim(0), slice = d.first.dim(1), row = slice + d.rest.dim(1);
  const Tensor all = gradient.array.reshaped({row, vectors.dim(1)});
  ctx.run<Gemm>(d.first.cview(), Transpose::yes, vectors.cview(), Transpose::no,
                all.rows(0, slice).view(), gradient.beta());
  ctx.run<Gemm>(d.rest.cview(), Transpose::yes, vectors.rows(d.singles(), tokens).cview(),
                Transpose::no, all.rows(slice, row).view(), gradient.beta());
}

// The same side by side, of the tokens with further features.
Tensor joined_rows(Context& ctx, const FeatureGradients& d) {
  const std::int64_t slice = d.first.dim(1), row = slice + d.rest.dim(1), count = d.rest.dim(0);
  Tensor rows = ctx.empty({count, row});
  float* numbers = rows.data<float>();
  ctx.run<CopyRows>(d.first.rows(d.singles(), d.first.dim(0)).cview(),
                    View(numbers, DType::f32, {count, slice}, row));
  ctx.run<CopyRows>(d.rest.cview(), View(numbers + slice, DType::f32, {count, row - slice}, row));
  return rows;
}

// Gives d_vectors = d W. Each row is the result of one GEMM, and so rounded once.
Tensor vector_gradient(Context& ctx, const Tensor& weight, const FeatureGradients& d,
                       const Tensor& vectors) {
  Tensor d_vectors = ctx.gradient<Gemm>(vectors);
  ctx.run<Gemm>(d.first.rows(0, d.singles()).cview(), Transpose::no,
                weight.rows(0, d.first.dim(1)).cview(), Transpose::no,
                d_vectors.rows(0, d.singles()).view(), 0.0F);
  ctx.run<Gemm>(joined_rows(ctx, d).cview(), Transpose::no, weight.cview(), Transpose::no,
                d_vectors.rows(d.singles(), vectors.dim(0)).view(), 0.0F);
  return d_vectors;
}

// Adds to the gradient of W of the lower layer, and gives d_vectors, from the gradients of the rows
// of all features.
Tensor pass_whole_rows(Context& ctx, const Model& parser, const Tensor& vectors, const Tensor& d) {
  add_weight_gradient(ctx, parser.ref("lower").param("W"), d, vectors);
  Tensor d_vectors = ctx.gradient<Gemm>(vectors);
  ctx.run<Gemm>(d.cview(), Transpose::no, lower_matrix(parser).cview(), Transpose::no,
                d_vectors.view(), 0.0F);
  return d_vectors;
}

// The same where most tokens have the gradient of one feature alone: for entities a third of the
// operations.
Tensor pass_features(Context& ctx, const Model& parser, const Tensor& vectors,
                     const TokenGroups& groups, const FeatureGradients& d) {
  const Tensor in_order = gathered(ctx, vectors, groups.order);
  add_weight_gradients(ctx, parser.ref("lower").param("W"), d, in_order);
  return gathered(ctx, vector_gradient(ctx, lower_matrix(parser), d, in_order), groups.place);
}

// Adds to the gradients of the lower layer; gives those of the token vectors and of the pad. The
// states' gradients are first gathered into a row for each token (and one for the missing feature),
// so that the GEMMs here have a row for each token and not one for each state and feature.
void lower_backward(Context& ctx, const Model& parser, const Tensor& vectors,
                    const Tensor& d_hidden, ParserGradient& result) {
  const ScorerShape shape = scorer_shape(parser);
  const Model& lower = parser.ref("lower");
  const LayerScope scope(ctx.watch(), lower.path());
  const std::int64_t tokens = vectors.dim(0), slice = shape.slice(), rest = shape.row() - slice;
  const TokenGroups groups = token_groups(ctx, shape, result.record, tokens);
  const bool by_features = groups.singles > 0;
  std::vector<Tensor> zeros = zeros_of(ctx, {{tokens, by_features ? slice : shape.row()},
                                             {by_features ? tokens - groups.singles : 0, rest},
                                             {shape.features, shape.hidden, shape.pieces},
                                             lower.param("b").value.shape()});
  Tensor &rows = zeros[0], &d_rest = zeros[1], &d_bias = zeros[3];
  result.d_pad = zeros[2];
  LowerGradient to{.whole = rows.data<float>()};
  if (by_features) {
    to = {nullptr, rows.data<float>(), d_rest.data<float>(), groups.place.data<std::int32_t>(),
          groups.singles};
  }
  ctx.run<TransitionScatter>(shape, result.record, d_hidden.data<float>(), to,
                             result.d_pad.data<float>(), d_bias.data<float>());
  add_gradient(ctx, lower.param("b"), d_bias.cview());
  add_gradient(ctx, lower.param("pad"), result.d_pad.cview());
  result.d_vectors = by_features ? pass_features(ctx, parser, vectors, groups, {rows, d_rest})
                                 : pass_whole_rows(ctx, parser, vectors, rows);
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
