#include "components/layers/activated.h"

#include "components/layers/composition.h"
#include "framework/nn/add_gradient.h"
#include "framework/nn/shape_inference.h"
#include "framework/ops/gemm.h"

namespace weft::layers {

namespace {

struct Saved {
  Tensor x, z, y;  // input, before the activation, behind it
};

Value backward(Context& ctx, const Model& model, Activation activation, const Saved& saved,
               const Tensor& dy) {
  const Parameter& w = model.param("W");
  Tensor dz = ctx.result<ActivationBackward>(dy.shape(), dy);
  ctx.run<ActivationBackward>(activation, dy, saved.z, saved.y, dz.view());
  add_weight_gradient(ctx, w, dz, saved.x);
  add_bias_gradient(ctx, model.param("b"), dz);
  Tensor dx = ctx.gradient<Gemm>(saved.x);
  ctx.run<Gemm>(dz, Transpose::no, w.value, Transpose::no, dx.view(), 0.0F);
  return dx;
}

Forward forward(Context& ctx, const Model& model, Activation activation, const Value& input) {
  const Tensor x = as_tensor(input);
  const Tensor& w = model.param("W").value;
  Tensor z = ctx.result<Affine>({x.dim(0), w.dim(0)}, x, w);
  ctx.run<Affine>(x, w, model.param("b").value, z.view());
  Tensor y = ctx.result<ActivationForward>(z.shape(), z);
  ctx.run<ActivationForward>(activation, z, y.view());
  if (!ctx.training()) return {y, {}};
  return {y, [&model, activation, saved = Saved{x, z, y}](Context& ctx, const Value& dy) {
            return backward(ctx, model, activation, saved, as_tensor(dy));
          }};
}

}  // namespace

ModelPtr activated(std::string name, Activation activation, const ActivatedSettings& c,
                   const Initializer& init_w) {
  const auto initialize = [c, init_w](Context& ctx, Model& model, const Value& input,
                                      const Value& output, InitRandom& random) {
    ctx.require<Affine>();
    ctx.require<ActivationForward>();
    ctx.require<ActivationBackward>();
    infer_dim(model, "nI", input);
    infer_dim(model, "nO", output);
    const std::int64_t outputs = known_dim(model, "nO");
    init_param(model, "W", {outputs, known_dim(model, "nI")}, c.init_w.value_or(init_w), random);
    init_param(model, "b", {outputs}, c.init_b.value_or(zero_init()), random);
  };
  const auto run = [activation](Context& ctx, const Model& model, const Value& input) {
    return forward(ctx, model, activation, input);
  };
  auto model = std::make_shared<Model>(std::move(name), run, initialize);
  declare_dim(*model, "nO", c.outputs);
  declare_dim(*model, "nI", c.inputs);
  model->declare_param("W", {"nO", "nI"});
  model->declare_param("b", {"nO"});
  return normalized_and_dropped(model, c.outputs, c.normalize, c.dropout);
}

}  // namespace weft::layers
