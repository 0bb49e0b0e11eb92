#include "framework/parser/parser_network.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/pass_observer.h"
#include "framework/ops/reduce.h"
#include "framework/parser/parser_network_parts.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {

namespace {

const OpDeclaration<StateHidden> hidden_declared;
const OpDeclaration<StateScores> scores_declared;

// `from` with more numbers on an axis, the new ones zero, in the context's memory.
Tensor with_more(Context& ctx, const Tensor& from, int axis, std::int64_t more) {
  const auto [outer, inner] = AroundAxis(from, axis);
  const std::int64_t old = from.dim(axis), size = old + more;
  const Tensor rows = ctx.seen_by<CopyRows>(from).reshaped({outer * old, inner});
  Tensor to = ctx.zeros({outer * size, inner});
  for (std::int64_t i = 0; i < outer; ++i) {
    ctx.run<CopyRows>(rows.rows(i * old, (i + 1) * old).cview(),
                      to.rows(i * size, i * size + old).view());
  }
  return to;
}

ScoringArrays scoring_arrays(Context& ctx, const Model& parser, int more) {
  const Model& lower = parser.ref("lower");
  ScoringArrays arrays{
      lower.param("W").value, lower.param("pad").value, lower.param("b").value, {}, {}};
  const ScorerShape shape = scorer_shape(parser);
  if (shape.has_upper) {
    const Model& upper = parser.ref("upper");
    arrays.upper = upper.param("W").value;
    arrays.upper_bias = upper.param("b").value;
  }
  if (more == 0) return arrays;
  if (shape.has_upper) {
    arrays.upper = with_more(ctx, arrays.upper, 0, more);
    arrays.upper_bias = with_more(ctx, arrays.upper_bias, 0, more);
  } else {
    const std::int64_t hidden = shape.hidden + more, width = arrays.lower.dim(3);
    arrays.lower = with_more(ctx, arrays.lower, 1, more)
                       .reshaped({shape.features, hidden, shape.pieces, width});
    arrays.pad = with_more(ctx, arrays.pad, 2, more);
    arrays.lower_bias = with_more(ctx, arrays.lower_bias, 0, more);
  }
  return arrays;
}

// The parts of the transition kernels, for observers.
void tell_op(Context& ctx, const KernelSlot& op, NumberFormat input, NumberFormat result) {
  if (ctx.watch().observer() == nullptr) return;
  const DType from = dtype_of(input), to = dtype_of(result);
  ctx.watch().observer()->op_ran(ctx.watch().layer(), op, {&from, 1}, {&to, 1});
}

// Numbers that the policy casts lie in the context's memory.
void set_upper(Context& ctx, const Model& upper, const ScoringArrays& arrays,
               ScorerWeights& weights) {
  const LayerScope scope(ctx.watch(), upper.path());
  weights.upper = ctx.seen_by<StateScores>(arrays.upper).data<float>();
  weights.upper_bias = ctx.seen_by<StateScores>(arrays.upper_bias).data<float>();
  weights.score_format = ctx.input_format<StateScores>();
  weights.logit_format = ctx.result_format<StateScores>(arrays.upper);
  tell_op(ctx, slot_of<StateScores>(), weights.score_format, weights.logit_format);
}

ScorerWeights scorer_weights(Context& ctx, const Model& parser, const ScoringArrays& arrays,
                             const Tensor& lower_rows) {
  const Model& lower = parser.ref("lower");
  const LayerScope scope(ctx.watch(), lower.path());
  ScorerWeights weights;
  weights.lower = lower_rows.cview().data;
  weights.lower_format = format_of(lower_rows.dtype());
  weights.pad = ctx.seen_by<StateHidden>(arrays.pad).data<float>();
  weights.lower_bias = ctx.seen_by<StateHidden>(arrays.lower_bias).data<float>();
  if (!scorer_shape(parser).has_upper) return weights;  // hidden numbers are scores, which are f32
  weights.hidden_format = ctx.result_format<StateHidden>(lower_rows);
  tell_op(ctx, slot_of<StateHidden>(), weights.lower_format, weights.hidden_format);
  set_upper(ctx, parser.ref("upper"), arrays, weights);
  return weights;
}

// See lower_matrix.
Tensor as_matrix(const Tensor& lower) {
  const std::int64_t width = lower.dim(3);
  return lower.reshaped({lower.size() / width, width});
}

// Contributions of every token as each of the features to a state, (tokens, features * hidden *
// pieces): `weight` has the rows of the lower matrix of these.
Tensor lower_rows(Context& ctx, const Model& parser, const Tensor& vectors, const Tensor& weight) {
  const LayerScope scope(ctx.watch(), parser.ref("lower").path());
  Tensor rows = ctx.result<Gemm>({vectors.dim(0), weight.dim(0)}, vectors, weight);
  ctx.run<Gemm>(vectors.cview(), Transpose::no, weight.cview(), Transpose::yes, rows.view(), 0.0F);
  return rows;
}

// Whether the kernels of parses compute lower rows that are missing, from such arrays.
bool computes_rows(const Context& ctx, const Tensor& vectors, const Tensor& weight) {
  return ctx.has<LowerRow>() && ctx.formats() == nullptr && vectors.dtype() == DType::f32 &&
         weight.dtype() == DType::f32;
}

}  // namespace

Tensor lower_matrix(const Model& parser) {
  return as_matrix(parser.ref("lower").param("W").value);
}

void require_parser_network(const Model& model) {
  if (model.has_ref("tok2vec") && model.has_ref("lower") && model.attr("has_upper") != nullptr) {
    return;
  }
  throw Error(ErrorKind::config, fmt::format("the model ({}) is none of a parser; take "
                                             "spacy.TransitionBasedParser.v2",
                                             model.name()));
}

ScorerShape scorer_shape(const Model& parser) {
  const Model& lower = parser.ref("lower");
  ScorerShape shape;
  shape.features = static_cast<int>(lower.dim("nF"));
  shape.hidden = static_cast<int>(lower.dim("nO"));
  shape.pieces = static_cast<int>(lower.dim("nP"));
  const Node* has_upper = parser.attr("has_upper");
  shape.has_upper = has_upper == nullptr || has_upper->as_bool();
  shape.classes = shape.has_upper ? static_cast<int>(parser.ref("upper").dim("nO")) : shape.hidden;
  return shape;
}

void require_scoring_ops(Context& ctx) {
  ctx.require<Gemm>();
  ctx.require<AddColumnSums>();
  ctx.require<MultiplyInPlace>();
  ctx.require<AddInPlace>();
  ctx.require<TransitionScatter>();
}

ScoredTokens scored_tokens(Context& ctx, const Model& parser, const Tensor& vectors,
                           Scoring scoring, LowerFeatures features, int more_classes) {
  ScorerShape shape = scorer_shape(parser);
  shape.rectifies = shape.pieces == 1 && scoring == Scoring::step_by_step;
  shape.classes += more_classes;
  if (!shape.has_upper) shape.hidden += more_classes;
  ScoringArrays arrays = scoring_arrays(ctx, parser, more_classes);
  const Tensor weight = as_matrix(arrays.lower);
  const bool has_all = features == LowerFeatures::all || !computes_rows(ctx, vectors, weight);
  const Tensor rows =
      lower_rows(ctx, parser, vectors, has_all ? weight : weight.rows(0, shape.slice()));
  ScorerWeights weights = scorer_weights(ctx, parser, arrays, rows);
  if (!has_all) {
    weights.vectors = vectors.data<float>();
    weights.lower_weights = weight.data<float>();
    weights.width = vectors.dim(1);
  }
  return {rows, has_all ? Tensor() : vectors, std::move(arrays), {shape, weights, rows.dim(0)}};
}

}  // namespace weft
