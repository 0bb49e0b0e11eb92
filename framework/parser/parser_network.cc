#include "framework/parser/parser_network.h"

#include <algorithm>

#include "framework/nn/layer_run.h"
#include "framework/nn/weight_gradient.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/pass_observer.h"
#include "framework/ops/reduce.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// The share of hidden numbers that training drops, whatever the rate elsewhere (spaCy 3.8).
constexpr double kStateDropout = 0.1;

const OpDeclaration<StateHidden> hidden_declared;
const OpDeclaration<StateScores> scores_declared;

// The numbers of a weight as Op gets them; in the context's memory where they are cast.
template <class Op>
const float* seen_by(Context& ctx, const Model& layer, std::string_view param) {
  const Tensor seen = ctx.seen_by<Op>(layer.param(param).value);
  return seen.data<float>();
}

// The parts of the transition kernels, for whoever watches.
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

// The weights of the lower layer as a matrix (features * hidden * pieces, width).
Tensor lower_matrix(const Model& parser) {
  const Tensor& weight = parser.ref("lower").param("W").value;
  const std::int64_t width = weight.dim(3);
  return weight.reshaped({weight.size() / width, width});
}

// What every feature of every token adds to a state, (tokens, features * hidden * pieces).
Tensor lower_rows(Context& ctx, const Model& parser, const Tensor& vectors) {
  const Tensor weight = lower_matrix(parser);
  const LayerScope scope(ctx.watch(), parser.ref("lower").path());
  Tensor rows = ctx.result<Gemm>({vectors.dim(0), weight.dim(0)}, vectors, weight);
  ctx.run<Gemm>(vectors.cview(), Transpose::no, weight.cview(), Transpose::yes, rows.view(), 0.0F);
  return rows;
}

StateScorer scorer_for(Context& ctx, const Model& parser, const Tensor& rows) {
  return {scorer_shape(parser), scorer_weights(ctx, parser, rows), rows.dim(0)};
}

View scores_of(const ScorerShape& shape, const TransitionRecord& record) {
  return {record.d_scores, DType::f32, {record.rows, shape.classes}};
}

// The loss has been taken; what follows is scaled.
void scale_gradient(Context& ctx, const ScorerShape& shape, TransitionRecord& record) {
  if (ctx.pass().loss_scale() == 1.0F) return;
  const View d_scores = scores_of(shape, record);
  if (!ctx.on_cpu()) {
    kernel_of<Scale>(ctx.device().kind)(ctx.stream(), d_scores, ctx.pass().loss_scale(), d_scores);
    return;
  }
  std::for_each_n(record.d_scores, d_scores.size(),
                  [&](float& d) { d *= ctx.pass().loss_scale(); });
}

// Where the mask of each row of a record starts: a row belongs to a token from which a parse
// starts and to the number of its step, so that it does not depend on what else is in the shard.
std::vector<std::int64_t> mask_offsets(std::span<const ParseStep> steps, int hidden,
                                       std::int64_t first) {
  std::vector<std::int64_t> offsets;
  offsets.reserve(steps.size());
  for (const ParseStep& step : steps) {
    offsets.push_back(((first + step.token) << 32) + std::int64_t{step.round} * hidden);
  }
  return offsets;
}

// The arrays of a record, in the context's memory.
TransitionRecord record_for(Context& ctx, const ScorerShape& shape, std::int64_t rows) {
  const auto array = [&](Shape of, DType type = DType::f32) {
    return ctx.on_cpu() ? ctx.empty(of, type) : ctx.zeros(of, type);
  };
  TransitionRecord record;
  record.hidden = array({rows, shape.hidden}).data<float>();
  record.winners = array({rows, shape.hidden}, DType::u8).data<std::uint8_t>();
  record.features = array({rows, shape.features}, DType::i32).data<std::int32_t>();
  record.d_scores = array({rows, shape.classes}).data<float>();
  record.classes = array({rows}, DType::i32).data<std::int32_t>();
  record.state = array({rows}, DType::i32).data<std::int32_t>();
  return record;
}

// Runs the parses. On a device rows follow from their steps.
void run_parses(Context& ctx, const StateScorer& scorer, const TrainingBatch& batch,
                const float* mask, std::int64_t most, ParserGradient& result) {
  TransitionRecord& record = result.record;
  if (!ctx.on_cpu()) {
    result.device_loss = ctx.zeros({1}, DType::f64);
    record.device_loss = result.device_loss.data<double>();
  }
  batch.train(ctx, scorer, mask, record);
  if (!ctx.on_cpu()) record.rows = static_cast<int>(most);
  result.loss = record.loss;
}

// In f32, in the context's memory.
Tensor widened(Context& ctx, const Tensor& tensor) {
  if (tensor.dtype() == DType::f32) return tensor;
  Tensor wide = ctx.empty(tensor.shape());
  ctx.cast(tensor, wide.view());
  return wide;
}

// The gradient of the hidden vectors before the mask, f32; adds to those of the upper layer.
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
  ctx.run<AddColumnSums>(d_scores, ctx.gradients().of(upper.param("b")).view());
  ctx.run<Gemm>(d_scores, Transpose::no, upper.param("W").value.cview(), Transpose::no,
                d_hidden.view(), 0.0F);
  ctx.run<MultiplyInPlace>(d_hidden.view(), mask.rows(0, rows).cview());
  tell_went_back(ctx, upper, d_scores, d_hidden);
  return widened(ctx, d_hidden);
}

// Adds to the gradients of the lower layer; gives those of the token vectors and of the pad.
void lower_backward(Context& ctx, const Model& parser, const Tensor& vectors,
                    const Tensor& d_hidden, ParserGradient& result) {
  const ScorerShape shape = scorer_shape(parser);
  const Model& lower = parser.ref("lower");
  const LayerScope scope(ctx.watch(), lower.path());
  Tensor d_rows = ctx.zeros({vectors.dim(0), shape.row()});
  result.d_pad = ctx.zeros({shape.features, shape.hidden, shape.pieces});
  Tensor d_bias = ctx.zeros(lower.param("b").value.shape());
  ctx.run<TransitionScatter>(shape, result.record, d_hidden.data<float>(), d_rows.data<float>(),
                             result.d_pad.data<float>(), d_bias.data<float>());
  ctx.run<AddInPlace>(ctx.gradients().of(lower.param("b")).view(), d_bias.cview());
  Tensor& d_pad = ctx.gradients().of(lower.param("pad"));
  ctx.run<AddInPlace>(d_pad.view(), result.d_pad.cview());
  const Tensor weight = lower_matrix(parser);
  add_weight_gradient(ctx, lower.param("W"), d_rows, vectors);
  result.d_vectors = ctx.gradient<Gemm>(vectors);
  ctx.run<Gemm>(d_rows.cview(), Transpose::no, weight.cview(), Transpose::no,
                result.d_vectors.view(), 0.0F);
  tell_went_back(ctx, lower, d_hidden, result.d_vectors);
}

}  // namespace

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

void require_parser_ops(Context& ctx) {
  ctx.require<Gemm>();
  ctx.require<AddColumnSums>();
  ctx.require<MultiplyInPlace>();
  ctx.require<AddInPlace>();
  ctx.require<TransitionParse>();
  ctx.require<TransitionTrain>();
  ctx.require<TransitionScatter>();
}

std::vector<std::int32_t> parse_greedily(Context& ctx, const Model& parser, const Tensor& vectors,
                                         const ParseBatch& parse) {
  const Tensor rows = lower_rows(ctx, parser, vectors);
  return parse(ctx, scorer_for(ctx, parser, rows));
}

ParserGradient train_parses(Context& ctx, const Model& parser, const Tensor& vectors,
                            const TrainingBatch& batch, std::string_view site, std::int64_t first) {
  const ScorerShape shape = scorer_shape(parser);
  Tensor mask;
  if (shape.has_upper) {
    mask = ctx.dropout_mask_rows(site, mask_offsets(batch.steps, shape.hidden, first), shape.hidden,
                                 kStateDropout);
  }
  const Tensor rows = lower_rows(ctx, parser, vectors);
  const auto most = static_cast<std::int64_t>(batch.steps.size());
  ParserGradient result;
  result.record = record_for(ctx, shape, most);
  run_parses(ctx, scorer_for(ctx, parser, rows), batch,
             shape.has_upper ? mask.data<float>() : nullptr, most, result);
  scale_gradient(ctx, shape, result.record);
  const Tensor d_hidden = upper_backward(ctx, parser, shape, result.record, mask);
  lower_backward(ctx, parser, vectors, d_hidden, result);
  return result;
}

void add_missing_feature_gradient(Context& ctx, const Tensor& d_pad, const Tensor& last_vector,
                                  Tensor& d_weight) {
  if (ctx.on_cpu()) {
    add_missing_feature_gradient(
        {d_pad.data<float>(), static_cast<std::size_t>(d_pad.size())},
        {last_vector.data<float>(), static_cast<std::size_t>(last_vector.size())}, d_weight);
    return;
  }
  const std::int64_t rows = d_pad.size(), width = last_vector.size();
  kernel_of<Gemm>(ctx.device().kind)(ctx.stream(), d_pad.reshaped({rows, 1}).cview(), Transpose::no,
                                     last_vector.reshaped({1, width}).cview(), Transpose::no,
                                     d_weight.reshaped({rows, width}).view(), 1.0F);
}

void add_missing_feature_gradient(std::span<const float> d_pad, std::span<const float> last_vector,
                                  Tensor& d_weight) {
  Tensor wide = cast_to(DType::f32, d_weight);
  float* to = wide.data<float>();
  for (const float d : d_pad) {
    for (const float value : last_vector) *to++ += d * value;
  }
  if (d_weight.dtype() != DType::f32) cast_rows(wide, d_weight.view());
}

}  // namespace weft
