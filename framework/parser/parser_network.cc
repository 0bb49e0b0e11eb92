#include "framework/parser/parser_network.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/nn/add_gradient.h"
#include "framework/nn/layer_run.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/pass_observer.h"
#include "framework/ops/reduce.h"
#include "framework/ops/state_scores.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

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

// The features' weights stand one below the other, so that one GEMM multiplies all tokens with all
// features at once.
// The weights of the lower layer as a matrix (features * hidden * pieces, width).
Tensor lower_matrix(const Model& parser) {
  const Tensor& weight = parser.ref("lower").param("W").value;
  const std::int64_t width = weight.dim(3);
  return weight.reshaped({weight.size() / width, width});
}

// Contributions of every feature of every token to a state, (tokens, features * hidden * pieces).
Tensor lower_rows(Context& ctx, const Model& parser, const Tensor& vectors) {
  const Tensor weight = lower_matrix(parser);
  const LayerScope scope(ctx.watch(), parser.ref("lower").path());
  Tensor rows = ctx.result<Gemm>({vectors.dim(0), weight.dim(0)}, vectors, weight);
  ctx.run<Gemm>(vectors.cview(), Transpose::no, weight.cview(), Transpose::yes, rows.view(), 0.0F);
  return rows;
}

View scores_of(const ScorerShape& shape, const TransitionRecord& record) {
  return {record.d_scores, DType::f32, {record.rows, shape.classes}};
}

// The loss has been taken; from here on gradients are scaled.
void scale_gradient(Context& ctx, const ScorerShape& shape, TransitionRecord& record) {
  if (ctx.pass().loss_scale() == 1.0F) return;
  const View d_scores = scores_of(shape, record);
  ctx.run_plain<Scale>(d_scores, ctx.pass().loss_scale(), d_scores);
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

Tensor draw_mask(Context& ctx, std::string_view site, std::span<const ParseStep> steps, int hidden,
                 std::int64_t first) {
  return ctx.dropout_mask_rows(site, mask_offsets(steps, hidden, first), hidden, kStateDropout);
}

// The mask of all rows at once, or the memory that the batch draws it into.
Tensor mask_for(Context& ctx, const TrainingBatch& batch, std::string_view site, int hidden,
                std::int64_t first) {
  return batch.steps.empty() ? ctx.empty({batch.rows, hidden})
                             : draw_mask(ctx, site, batch.steps, hidden, first);
}

// The arrays of a record, in the context's memory.
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

// In f32, in the context's memory.
Tensor widened(Context& ctx, const Tensor& tensor) {
  if (tensor.dtype() == DType::f32) return tensor;
  Tensor wide = ctx.empty(tensor.shape());
  ctx.cast(tensor, wide.view());
  return wide;
}

// Backward through the upper layer: d_W += d_scores^T hidden, d_b += sums of columns, and d_hidden
// = d_scores W, masked as the forward pass was.
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

// The states' gradients are first gathered into a row for each token (and one for the missing
// feature), so that the GEMMs here have a row for each token and not one for each state and
// feature.
// Adds to the gradients of the lower layer; gives those of the token vectors and of the pad.
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

// From the gradient of the scores to those of all parameters.
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

// Makes the states of the rows again that a search has left; gives their masks.
Tensor fill_record(Context& ctx, const StateScorer& scorer, const BeamGradient& learnt,
                   const DrawMasks& draw, TransitionRecord& record) {
  const auto rows = static_cast<std::int64_t>(learnt.rows());
  record = record_for(ctx, scorer.shape, rows);
  record.rows = static_cast<int>(rows);
  std::copy(learnt.features.begin(), learnt.features.end(), record.features);
  std::copy(learnt.d_scores.begin(), learnt.d_scores.end(), record.d_scores);
  Tensor mask;
  if (draw) {
    mask = ctx.empty({rows, scorer.shape.hidden});
    draw(learnt.steps, mask.data<float>());
  }
  ctx.run<ScoreStates>(scorer.shape, scorer.weights, std::span<const std::uint8_t>(),
                       StateRows{.count = record.rows,
                                 .features = record.features,
                                 .mask = draw ? mask.data<float>() : nullptr,
                                 .hidden = record.hidden,
                                 .winners = record.winners});
  return mask;
}

}  // namespace

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
                           Scoring scoring) {
  const Tensor rows = lower_rows(ctx, parser, vectors);
  ScorerShape shape = scorer_shape(parser);
  shape.rectifies = shape.pieces == 1 && scoring == Scoring::step_by_step;
  return {rows, {shape, scorer_weights(ctx, parser, rows), rows.dim(0)}};
}

ParserGradient train_parses(Context& ctx, const Model& parser, const Tensor& vectors,
                            const TrainingBatch& batch, std::string_view site, std::int64_t first) {
  const ScorerShape shape = scorer_shape(parser);
  Tensor mask;
  StateMask masks;
  if (shape.has_upper) {
    mask = mask_for(ctx, batch, site, shape.hidden, first);
    masks.rows = mask.data<float>();
    masks.draw = [&](std::int64_t row, std::span<const ParseStep> steps) {
      const Tensor drawn = draw_mask(ctx, site, steps, shape.hidden, first);
      std::copy_n(drawn.data<float>(), drawn.size(), masks.rows + row * shape.hidden);
    };
  }
  const ScoredTokens tokens = scored_tokens(ctx, parser, vectors, Scoring::step_by_step);
  ParserGradient result;
  result.loss = ctx.number_to_read();
  result.record = record_for(ctx, shape, batch.rows);
  result.record.loss = result.loss.data<double>();
  batch.train(ctx, tokens.scorer, masks, result.record);
  go_back(ctx, parser, vectors, mask, result);
  return result;
}

ParserGradient rehearse_states(Context& ctx, const Model& parser, const Tensor& vectors,
                               const ScoredTokens& tokens, const ScoredTokens& tutor,
                               const StateVisits& visits, double share, float weight) {
  const ScorerShape shape = tokens.scorer.shape, known = tutor.scorer.shape;
  const auto rows = static_cast<std::int64_t>(visits.rounds.size());
  if (known.classes > shape.classes || known.features != shape.features) {
    throw Error(ErrorKind::internal, "a tutor knows classes that its component lacks");
  }
  ParserGradient result;
  result.record = record_for(ctx, shape, rows);
  TransitionRecord& record = result.record;
  record.rows = static_cast<int>(rows);
  std::copy(visits.features.begin(), visits.features.end(), record.features);
  const auto score = [&](const StateScorer& scorer, const StateRows& states) {
    ctx.run<ScoreStates>(scorer.shape, scorer.weights, std::span<const std::uint8_t>(), states);
  };
  score(tokens.scorer, {.count = record.rows,
                        .features = record.features,
                        .hidden = record.hidden,
                        .winners = record.winners,
                        .scores = record.d_scores});
  Tensor hidden = ctx.empty({rows, known.hidden}), wanted = ctx.empty({rows, known.classes});
  score(tutor.scorer, {.count = record.rows,
                       .features = record.features,
                       .hidden = hidden.data<float>(),
                       .scores = wanted.data<float>()});
  double squares = 0.0;
  std::vector<double> states_of_round;
  for (const int round : visits.rounds) {
    states_of_round.resize(std::max(states_of_round.size(), static_cast<std::size_t>(round) + 1));
    states_of_round[static_cast<std::size_t>(round)] += 1.0;
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto round = static_cast<std::size_t>(visits.rounds[static_cast<std::size_t>(row)]);
    const double states = states_of_round[round] / share;
    float* d = record.d_scores + row * shape.classes;
    for (int k = 0; k < known.classes; ++k) {
      const double difference = (double{d[k]} - wanted.data<float>()[row * known.classes + k]);
      squares += (difference / states) * (difference / states);
      d[k] = static_cast<float>(difference / states) * weight;
    }
    std::fill(d + known.classes, d + shape.classes, 0.0F);
  }
  result.loss = ctx.number_to_read();
  *result.loss.data<double>() = squares / std::max(1.0, static_cast<double>(rows) * known.classes);
  Tensor ones = ctx.empty({std::max<std::int64_t>(rows, 1), shape.hidden});
  std::fill_n(ones.data<float>(), ones.size(), 1.0F);
  go_back(ctx, parser, vectors, ones, result);
  return result;
}

BeamPass train_beams(Context& ctx, const Model& parser, const Tensor& vectors,
                     const BeamBatch& batch, std::string_view site, std::int64_t first) {
  const ScorerShape shape = scorer_shape(parser);
  DrawMasks draw;
  if (shape.has_upper) {
    draw = [&](std::span<const ParseStep> steps, float* mask) {
      const auto rows = static_cast<std::int64_t>(steps.size());
      ctx.pass().masks().fill_rows(site, mask_offsets(steps, shape.hidden, first), kStateDropout,
                                   View(mask, DType::f32, {rows, shape.hidden}));
    };
  }
  const ScoredTokens tokens = scored_tokens(ctx, parser, vectors, Scoring::step_by_step);
  BeamPass pass;
  pass.learnt = batch(ctx, tokens.scorer, draw);
  const Tensor mask = fill_record(ctx, tokens.scorer, pass.learnt, draw, pass.gradient.record);
  go_back(ctx, parser, vectors, mask, pass.gradient);
  return pass;
}

}  // namespace weft
