#include "framework/parser/parser_network.h"

#include <algorithm>

#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/reduce.h"

namespace weft {

using transition::State;

namespace {

// The share of hidden numbers that training drops, whatever the rate elsewhere (spaCy 3.8).
constexpr double kStateDropout = 0.1;

ScorerWeights scorer_weights(const Model& parser, const Tensor& lower_rows) {
  const Model& lower = parser.ref("lower");
  ScorerWeights weights;
  weights.lower = lower_rows.data<float>();
  weights.pad = lower.param("pad").value.data<float>();
  weights.lower_bias = lower.param("b").value.data<float>();
  if (scorer_shape(parser).has_upper) {
    weights.upper = parser.ref("upper").param("W").value.data<float>();
    weights.upper_bias = parser.ref("upper").param("b").value.data<float>();
  }
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
  Tensor rows = ctx.empty({vectors.dim(0), weight.dim(0)});
  ctx.run<Gemm>(vectors.cview(), Transpose::no, weight.cview(), Transpose::yes, rows.view(), 0.0F);
  return rows;
}

TransitionTask task_for(const Model& parser, const Tensor& rows, const ParserInput& input,
                        std::span<const State> states) {
  return {scorer_shape(parser), scorer_weights(parser, rows), input.actions, input.unseen, states,
          input.marks};
}

// Where the mask of each row of a record starts: a row belongs to a token from which a parse
// starts and to the number of its step, so that it does not depend on what else is in the shard.
// Every step takes one token, so that the rows are known before the parses run.
std::vector<std::int64_t> mask_offsets(std::span<const State> states, int max_rounds, int hidden,
                                       std::int64_t first) {
  std::vector<std::int64_t> offsets;
  for (int round = 0; max_rounds <= 0 || round < max_rounds; ++round) {
    const std::size_t before = offsets.size();
    for (const State& state : states) {
      if (state.left() <= round) continue;
      const std::int64_t token = first + state.row();
      offsets.push_back((token << 32) + std::int64_t{round} * hidden);
    }
    if (offsets.size() == before) break;
  }
  return offsets;
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

// The gradient of the hidden vectors before the mask; adds to those of the upper layer.
Tensor upper_backward(Context& ctx, const Model& parser, const ScorerShape& shape,
                      const TransitionRecord& record, const Tensor& mask) {
  const std::int64_t rows = record.rows;
  const ConstView d_scores(record.d_scores, DType::f32, {rows, shape.classes});
  Tensor d_hidden = ctx.empty({rows, shape.hidden});
  if (!shape.has_upper) {
    std::copy_n(record.d_scores, d_hidden.size(), d_hidden.data<float>());
    return d_hidden;
  }
  const ConstView hidden(record.hidden, DType::f32, {rows, shape.hidden});
  const Model& upper = parser.ref("upper");
  Tensor& d_weight = ctx.gradients().of(upper.param("W"));
  Tensor& d_bias = ctx.gradients().of(upper.param("b"));
  ctx.run<Gemm>(d_scores, Transpose::yes, hidden, Transpose::no, d_weight.view(), 1.0F);
  ctx.run<AddColumnSums>(d_scores, d_bias.view());
  ctx.run<Gemm>(d_scores, Transpose::no, upper.param("W").value.cview(), Transpose::no,
                d_hidden.view(), 0.0F);
  ctx.run<MultiplyInPlace>(d_hidden.view(), mask.rows(0, rows).cview());
  return d_hidden;
}

// Adds to the gradients of the lower layer; gives those of the token vectors and of the pad.
void lower_backward(Context& ctx, const Model& parser, const Tensor& vectors,
                    const Tensor& d_hidden, ParserGradient& result) {
  const ScorerShape shape = scorer_shape(parser);
  const Model& lower = parser.ref("lower");
  Tensor d_rows = ctx.zeros({vectors.dim(0), shape.row()});
  result.d_pad = ctx.zeros({shape.features, shape.hidden, shape.pieces});
  Tensor& d_bias = ctx.gradients().of(lower.param("b"));
  ctx.run<TransitionScatter>(shape, result.record, d_hidden.data<float>(), d_rows.data<float>(),
                             result.d_pad.data<float>(), d_bias.data<float>());
  Tensor& d_pad = ctx.gradients().of(lower.param("pad"));
  ctx.run<AddInPlace>(d_pad.view(), result.d_pad.cview());
  const Tensor weight = lower_matrix(parser);
  Tensor d_weight = ctx.gradients().of(lower.param("W")).reshaped(weight.shape());
  ctx.run<Gemm>(d_rows.cview(), Transpose::yes, vectors.cview(), Transpose::no, d_weight.view(),
                1.0F);
  result.d_vectors = ctx.empty(vectors.shape());
  ctx.run<Gemm>(d_rows.cview(), Transpose::no, weight.cview(), Transpose::no,
                result.d_vectors.view(), 0.0F);
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
                                         const ParserInput& input, std::span<const State> states) {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(vectors.dim(0)), -1);
  const Tensor rows = lower_rows(ctx, parser, vectors);
  ctx.run<TransitionParse>(task_for(parser, rows, input, states), classes.data());
  return classes;
}

ParserGradient train_parses(Context& ctx, const Model& parser, const Tensor& vectors,
                            const ParserInput& input, const TrainingParses& parses, int max_rounds,
                            std::string_view site, std::int64_t first) {
  const ScorerShape shape = scorer_shape(parser);
  const std::int64_t most = transition_rows(parses.states, max_rounds);
  Tensor mask;
  if (shape.has_upper) {
    mask = ctx.dropout_mask_rows(site, mask_offsets(parses.states, max_rounds, shape.hidden, first),
                                 shape.hidden, kStateDropout);
  }
  TransitionGold gold;
  gold.tags = parses.tags.data();
  gold.negatives = parses.negatives;
  gold.max_rounds = max_rounds;
  gold.mask = shape.has_upper ? mask.data<float>() : nullptr;
  const Tensor rows = lower_rows(ctx, parser, vectors);
  ParserGradient result;
  result.record = record_for(ctx, shape, most);
  ctx.run<TransitionTrain>(task_for(parser, rows, input, parses.states), gold, result.record);
  result.loss = result.record.loss;
  const Tensor d_hidden = upper_backward(ctx, parser, shape, result.record, mask);
  lower_backward(ctx, parser, vectors, d_hidden, result);
  return result;
}

void add_missing_feature_gradient(std::span<const float> d_pad, std::span<const float> last_vector,
                                  Tensor& d_weight) {
  float* to = d_weight.data<float>();
  for (const float d : d_pad) {
    for (const float value : last_vector) *to++ += d * value;
  }
}

}  // namespace weft
