// Linear.v1: an affine map. Source: Thinc 8.3.
#include "components/layers/layers.h"
#include "framework/nn/add_gradient.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/shape_inference.h"
#include "framework/ops/gemm.h"
#include "framework/ops/reduce.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Value backward(Context& ctx, const Model& model, const Tensor& x, const Tensor& dy) {
  const Parameter& w = model.param("W");
  add_weight_gradient(ctx, w, dy, x);
  add_bias_gradient(ctx, model.param("b"), dy);
  Tensor dx = ctx.gradient<Gemm>(x);
  ctx.run<Gemm>(dy, Transpose::no, w.value, Transpose::no, dx.view(), 0.0F);
  return dx;
}

Forward forward(Context& ctx, const Model& model, const Value& input) {
  const Tensor x = as_tensor(input);
  const Tensor& w = model.param("W").value;
  Tensor y = ctx.result<Affine>({x.dim(0), w.dim(0)}, x, w);
  ctx.run<Affine>(x, w, model.param("b").value, y.view());
  if (!ctx.training()) return {y, {}};
  return {y, [&model, x](Context& ctx, const Value& dy) {
            return backward(ctx, model, x, as_tensor(dy));
          }};
}

}  // namespace

template <class V>
void fields(V& v, LinearSettings& c) {
  v("nO", c.outputs, "width of the output; null: from the data", closed_range(1, kWidest));
  v("nI", c.inputs, "width of the input; null: from the data", closed_range(1, kWidest));
  v("init_W", c.init_w, "fresh weights; null: glorot_uniform_init.v1", keyword_only);
  v("init_b", c.init_b, "fresh biases; null: zero_init.v1", keyword_only);
}

ModelPtr linear(const LinearSettings& c) {
  const auto initialize = [c](Context& ctx, Model& model, const Value& input, const Value& output,
                              InitRandom& random) {
    ctx.require<Affine>();
    ctx.require<Gemm>();
    ctx.require<AddColumnSums>();
    infer_dim(model, "nI", input);
    infer_dim(model, "nO", output);
    const std::int64_t outputs = known_dim(model, "nO");
    init_param(model, "W", {outputs, known_dim(model, "nI")},
               c.init_w.value_or(glorot_uniform_init()), random);
    init_param(model, "b", {outputs}, c.init_b.value_or(zero_init()), random);
  };
  auto model = std::make_shared<Model>("linear", forward, initialize);
  declare_dim(*model, "nO", c.outputs);
  declare_dim(*model, "nI", c.inputs);
  model->declare_param("W", {"nO", "nI"});
  model->declare_param("b", {"nO"});
  return model;
}

static const Registration registered{"layers", "Linear.v1", linear, "an affine map"};

}  // namespace weft::layers
