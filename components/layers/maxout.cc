// Maxout.v1: the largest of several affine maps. Goodfellow and others (2013); Thinc 8.3.
#include "framework/ops/maxout.h"

#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "framework/nn/add_gradient.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/shape_inference.h"
#include "framework/ops/gemm.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

// The weights of all pieces as one matrix (outputs * pieces, inputs).
Tensor matrix(const Parameter& w) {
  return w.value.reshaped({w.value.dim(0) * w.value.dim(1), w.value.dim(2)});
}

Value backward(Context& ctx, const Model& model, const Tensor& x, const Tensor& winners,
               const Tensor& dy) {
  const Parameter& w = model.param("W");
  const Tensor weights = matrix(w);
  const std::int64_t pieces = w.value.dim(1);
  Tensor dz = ctx.result<MaxoutBackward>({dy.dim(0), dy.dim(1), pieces}, dy);
  ctx.run<MaxoutBackward>(dy, winners, dz.view());
  const Tensor d_sum = dz.reshaped({dy.dim(0), dy.dim(1) * pieces});
  add_weight_gradient(ctx, w, d_sum, x);
  add_bias_gradient(ctx, model.param("b"), d_sum);
  Tensor dx = ctx.gradient<Gemm>(x);
  ctx.run<Gemm>(d_sum, Transpose::no, weights, Transpose::no, dx.view(), 0.0F);
  return dx;
}

Forward forward(Context& ctx, const Model& model, const Value& input) {
  const Tensor x = as_tensor(input);
  const Parameter& w = model.param("W");
  const std::int64_t outputs = w.value.dim(0), pieces = w.value.dim(1);
  Tensor z = ctx.result<Affine>({x.dim(0), outputs, pieces}, x, w.value);
  ctx.run<Affine>(x, matrix(w), model.param("b").value,
                  z.reshaped({x.dim(0), outputs * pieces}).view());
  Tensor y = ctx.result<MaxoutForward>({x.dim(0), outputs}, z);
  Tensor winners = ctx.empty(y.shape(), DType::u8);
  ctx.run<MaxoutForward>(z, y.view(), winners.view());
  if (!ctx.training()) return {y, {}};
  return {y, [&model, x, winners](Context& ctx, const Value& dy) {
            return backward(ctx, model, x, winners, as_tensor(dy));
          }};
}

// All pieces and their gradients, and a byte for the one that won; the output is the next layer's
// input.
LayerCost cost(const Model& model, double width) {
  const double pieces = size_or(model, "nP", 1);
  if (pieces <= 1) return cost_of_rows(model, width);
  const double in = size_or(model, "nI", width);
  const double out = size_or(model, "nO", in);
  return {.per_row = (2 * pieces + 1.25) * out + in, .width = out};
}

}  // namespace

template <class V>
void fields(V& v, MaxoutSettings& c) {
  v("nO", c.outputs, "width of the output; null: from the data", closed_range(1, kWidest));
  v("nI", c.inputs, "width of the input; null: from the data", closed_range(1, kWidest));
  v("nP", c.pieces, "pieces of which the largest counts; null: 3", closed_range(1, 255));
  v("init_W", c.init_w, "fresh weights; null: glorot_uniform_init.v1", keyword_only);
  v("init_b", c.init_b, "fresh biases; null: zero_init.v1", keyword_only);
  v("dropout", c.dropout, "null: no dropout behind the layer", keyword_only, range(0.0, 1.0));
  v("normalize", c.normalize, "layer norm behind the layer", keyword_only);
}

ModelPtr maxout(const MaxoutSettings& c) {
  const auto initialize = [c](Context& ctx, Model& model, const Value& input, const Value& output,
                              InitRandom& random) {
    ctx.require<Affine>();
    ctx.require<MaxoutForward>();
    ctx.require<MaxoutBackward>();
    infer_dim(model, "nI", input);
    infer_dim(model, "nO", output);
    const std::int64_t outputs = known_dim(model, "nO"), pieces = known_dim(model, "nP");
    init_param(model, "W", {outputs, pieces, known_dim(model, "nI")},
               c.init_w.value_or(glorot_uniform_init()), random);
    init_param(model, "b", {outputs, pieces}, c.init_b.value_or(zero_init()), random);
  };
  auto model = std::make_shared<Model>("maxout", forward, initialize);
  declare_dim(*model, "nO", c.outputs);
  declare_dim(*model, "nI", c.inputs);
  declare_dim(*model, "nP", c.pieces.value_or(3));
  model->declare_param("W", {"nO", "nP", "nI"});
  model->declare_param("b", {"nO", "nP"});
  model->set_cost(cost);
  return normalized_and_dropped(model, c.outputs, c.normalize, c.dropout);
}

static const Registration registered{"layers", "Maxout.v1", maxout,
                                     "the largest of several affine maps"};

}  // namespace weft::layers
