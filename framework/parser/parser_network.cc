#include "framework/parser/parser_network.h"

#include <cstdint>
#include <string_view>

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

// The numbers of a weight as Op gets them; in the context's memory where they are cast.
template <class Op>
const float* seen_by(Context& ctx, const Model& layer, std::string_view param) {
  const Tensor seen = ctx.seen_by<Op>(layer.param(param).value);
  return seen.data<float>();
}

// The parts of the transition kernels, for observers.
void tell_op(Context& ctx, const KernelSlot& op, NumberFormat input, NumberFormat result) {
  if (ctx.watch().observer() == nullptr) return;
  const DType from = dtype_of(input), to = dtype_of(result);
  ctx.watch().observer()->op_ran(ctx.watch().layer(), op, {&from, 1}, {&to, 1});
}

void set_upper(Context& ctx, const Model& upper, ScorerWeights& weights) {
  const LayerScope scope(ctx.watch(), upper.path());
  weights.upper = seen_by<StateScores>(ctx, upper, "W");
  weights.upper_bias = seen_by<StateScores>(ctx, upper, "b");
  weights.score_format = ctx.input_format<StateScores>();
  weights.logit_format = ctx.result_format<StateScores>(upper.param("W").value);
  tell_op(ctx, slot_of<StateScores>(), weights.score_format, weights.logit_format);
}

ScorerWeights scorer_weights(Context& ctx, const Model& parser, const Tensor& lower_rows) {
  const Model& lower = parser.ref("lower");
  const LayerScope scope(ctx.watch(), lower.path());
  ScorerWeights weights;
  weights.lower = lower_rows.cview().data;
  weights.lower_format = format_of(lower_rows.dtype());
  weights.pad = seen_by<StateHidden>(ctx, lower, "pad");
  weights.lower_bias = seen_by<StateHidden>(ctx, lower, "b");
  if (!scorer_shape(parser).has_upper) return weights;  // hidden numbers are scores, which are f32
  weights.hidden_format = ctx.result_format<StateHidden>(lower_rows);
  tell_op(ctx, slot_of<StateHidden>(), weights.lower_format, weights.hidden_format);
  set_upper(ctx, parser.ref("upper"), weights);
  return weights;
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
  const Tensor& weight = parser.ref("lower").param("W").value;
  const std::int64_t width = weight.dim(3);
  return weight.reshaped({weight.size() / width, width});
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
                           Scoring scoring, LowerFeatures features) {
  ScorerShape shape = scorer_shape(parser);
  shape.rectifies = shape.pieces == 1 && scoring == Scoring::step_by_step;
  const Tensor weight = lower_matrix(parser);
  if (features == LowerFeatures::all || !computes_rows(ctx, vectors, weight)) {
    const Tensor rows = lower_rows(ctx, parser, vectors, weight);
    return {rows, {}, {shape, scorer_weights(ctx, parser, rows), rows.dim(0)}};
  }
  const Tensor rows = lower_rows(ctx, parser, vectors, weight.rows(0, shape.slice()));
  ScorerWeights weights = scorer_weights(ctx, parser, rows);
  weights.vectors = vectors.data<float>();
  weights.lower_weights = weight.data<float>();
  weights.width = vectors.dim(1);
  return {rows, vectors, {shape, weights, rows.dim(0)}};
}

}  // namespace weft
