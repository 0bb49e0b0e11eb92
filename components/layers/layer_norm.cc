// LayerNorm.v1. Ba, Kiros, Hinton (2016); Thinc 8.3.
#include "framework/ops/layer_norm.h"

#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/shape_inference.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Value backward(Context& ctx, const Model& model, const Tensor& x, const Tensor& stats,
               const Tensor& dy) {
  const Parameter& gamma = model.param("G");
  Tensor dx = ctx.gradient<LayerNormBackward>(x);
  ctx.run<LayerNormBackward>(dy, x, stats, gamma.value, dx.view(), Model::grad(ctx, gamma).view(),
                             Model::grad(ctx, model.param("b")).view());
  return dx;
}

Forward forward(Context& ctx, const Model& model, const Value& input) {
  const Tensor x = as_tensor(input);
  Tensor y = ctx.result<LayerNormForward>(x.shape(), x);
  Tensor stats = ctx.empty({x.dim(0), 2});
  ctx.run<LayerNormForward>(x, model.param("G").value, model.param("b").value, y.view(),
                            stats.view());
  if (!ctx.training()) return {y, {}};
  return {y, [&model, x, stats](Context& ctx, const Value& dy) {
            return backward(ctx, model, x, stats, as_tensor(dy));
          }};
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  ctx.require<LayerNormForward>();
  ctx.require<LayerNormBackward>();
  infer_dim(model, "nI", input);
  infer_dim(model, "nI", output);
  const std::int64_t width = known_dim(model, "nI");
  model.set_dim("nO", width);
  init_param(model, "G", {width}, uniform_init(1.0, 1.0), random);
  init_param(model, "b", {width}, zero_init(), random);
}

// Mean and deviation of each row beside the output and its gradient; the input is the layer
// before's.
LayerCost cost(const Model& model, double width) {
  const double out = size_or(model, "nI", width);
  return {.per_row = 2 * out + 2, .width = out};
}

struct LayerNorm {
  Size inputs;
};

template <class V>
void fields(V& v, LayerNorm& c) {
  v("nI", c.inputs, "width; null: from the data", closed_range(1, kWidest));
}

ModelPtr make(const LayerNorm& c) {
  return layer_norm(c.inputs);
}

}  // namespace

ModelPtr layer_norm(Size inputs) {
  auto model = std::make_shared<Model>("layernorm", forward, initialize);
  declare_dim(*model, "nI", inputs);
  declare_dim(*model, "nO", inputs);
  model->declare_param("G", {"nI"}).kind = ParameterKind::norm;
  model->declare_param("b", {"nI"}).kind = ParameterKind::norm;
  model->set_cost(cost);
  return model;
}

static const Registration registered{"layers", "LayerNorm.v1", make,
                                     "rows of mean 0 and variance 1, scaled and shifted"};

}  // namespace weft::layers
