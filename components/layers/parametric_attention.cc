// ParametricAttention.v1 and v2: the rows of each document, weighted by how well they agree with a
// learnt query. Yang and others (2016); Thinc 8.3; docs/text-classification.md, section 3.
#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "framework/nn/add_gradient.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/shape_inference.h"
#include "framework/ops/attention.h"
#include "framework/ops/gemm.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

// The rows that are compared with the query: what the layer inside makes of them, or themselves.
Forward keys_of(Context& ctx, const Model& model, const Tensor& rows) {
  if (!model.layers().empty()) return (*model.layers().front())(ctx, rows);
  if (!ctx.training()) return {rows, {}};
  return {rows, [](Context&, const Value& d_keys) { return d_keys; }};
}

struct Saved {
  Ragged rows;
  Tensor keys, shares;
  Backward keys_backward;
};

// With y_i = a_i x_i and a = softmax(K q) within each document: dq = K^T ds and dK = ds q^T, where
// ds is the gradient of the scores K q; a row x_i gets a_i dy_i directly, and more by way of its
// key.
Value backward(Context& ctx, const Model& model, const Saved& saved, const Value& d_output) {
  const Tensor dy = as_ragged(ctx, d_output).data;
  const Tensor& rows = saved.rows.data;
  Tensor d_scores = ctx.result<AttentionSharesBackward>({rows.dim(0), 1}, dy, rows);
  ctx.run<AttentionSharesBackward>(dy, rows, saved.shares, saved.rows.lengths, d_scores.view());
  const Parameter& query = model.param("Q");
  add_weight_gradient(ctx, query, d_scores, saved.keys);
  Tensor d_keys = ctx.gradient<Gemm>(saved.keys);
  ctx.run<Gemm>(d_scores, Transpose::no, query.value.reshaped({1, query.value.size()}),
                Transpose::no, d_keys.view(), 0.0F);
  Tensor d_values = ctx.gradient<ScaleRows>(rows);
  ctx.run<ScaleRows>(dy, saved.shares, d_values.view());
  Value d_rows = std::move(d_values);
  add_value(ctx, d_rows, saved.keys_backward(ctx, d_keys));
  return Ragged{as_tensor(d_rows), saved.rows.lengths};
}

// The output keeps a row for each token; the sum over a document is the next layer's work.
Forward forward(Context& ctx, const Model& model, const Value& input) {
  Ragged rows = as_ragged(ctx, input);
  const Tensor& query = model.param("Q").value;
  Forward keys = keys_of(ctx, model, rows.data);
  const Tensor& key_rows = as_tensor(keys.output);
  Tensor shares = ctx.result<AttentionShares>({rows.data.dim(0), 1}, key_rows, query);
  ctx.run<AttentionShares>(key_rows, query, rows.lengths, shares.view());
  Tensor y = ctx.result<ScaleRows>(rows.data.shape(), rows.data);
  ctx.run<ScaleRows>(rows.data, shares, y.view());
  Value output = Ragged{y, rows.lengths};
  if (!ctx.training()) return {std::move(output), {}};
  return {std::move(output),
          [&model, saved = Saved{std::move(rows), key_rows, shares, std::move(keys.backward)}](
              Context& ctx, const Value& dy) { return backward(ctx, model, saved, dy); }};
}

void initialize(Context& ctx, Model& model, const Value& input, const Value&, InitRandom& random) {
  ctx.require<AttentionShares>();
  ctx.require<AttentionSharesBackward>();
  ctx.require<ScaleRows>();
  infer_dim(model, "nO", input);
  const std::int64_t width = known_dim(model, "nO");
  init_param(model, "Q", {width}, uniform_init(-0.1, 0.1), random);
  if (model.layers().empty()) return;
  const Value rows = input.index() == 0 ? Value() : Value(as_ragged(ctx, input).data);
  model.layers().front()->initialize(ctx, rows, rows, random);
}

// Keys, shares, the output and the gradients of all.
LayerCost cost(const Model& model, double width) {
  const double own = size_or(model, "nO", width);
  LayerCost cost{.per_row = 4 * own + 2, .width = own};
  if (!model.layers().empty()) cost.add(model.layers().front()->cost(own));
  cost.width = own;
  return cost;
}

struct ParametricAttentionV1 {
  Size outputs;
};

template <class V>
void fields(V& v, ParametricAttentionV1& c) {
  v("nO", c.outputs, "width of the rows; null: from the data", closed_range(1, kWidest));
}

struct ParametricAttention {
  std::optional<ModelPtr> key_transform;
  Size outputs;
};

template <class V>
void fields(V& v, ParametricAttention& c) {
  v("key_transform", c.key_transform, "makes the keys of rows; null: they are the rows",
    keyword_only);
  v("nO", c.outputs, "width of the rows; null: from the data", keyword_only,
    closed_range(1, kWidest));
}

ModelPtr attention(Size outputs) {
  auto model = std::make_shared<Model>("para-attn", forward, initialize);
  declare_dim(*model, "nO", outputs);
  model->declare_param("Q", {"nO"});
  model->set_cost(cost);
  return model;
}

ModelPtr make_v1(const ParametricAttentionV1& c) {
  return parametric_attention(c.outputs);
}

ModelPtr make(const ParametricAttention& c) {
  return parametric_attention(c.outputs, c.key_transform ? *c.key_transform : noop());
}

}  // namespace

ModelPtr parametric_attention(Size outputs) {
  return attention(outputs);
}

ModelPtr parametric_attention(Size outputs, const ModelPtr& key_transform) {
  ModelPtr model = attention(outputs);
  model->layers() = {key_transform};
  model->set_ref("key_transform", key_transform);
  return model;
}

static const Registration registered{"layers", "ParametricAttention.v2", make,
                                     "rows weighted by a learnt query"};
static const Registration registered_v1{"layers", "ParametricAttention.v1", make_v1,
                                        "the same; rows are their own keys"};

}  // namespace weft::layers
