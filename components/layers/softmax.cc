// Softmax.v2: an affine map to probabilities. Source: Thinc 8.3.
#include "framework/ops/softmax.h"

#include <cmath>

#include "components/layers/layers.h"
#include "framework/nn/add_gradient.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/shape_inference.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

using Softmax = SoftmaxSettings;

template <class V>
void weight_fields(V& v, Softmax& c) {
  v("nO", c.outputs, "number of classes; null: from the data", closed_range(1, kWidest));
  v("nI", c.inputs, "width of the input; null: from the data", closed_range(1, kWidest));
  v("init_W", c.init_w, "fresh weights; null: zero_init.v1", keyword_only);
  v("init_b", c.init_b, "fresh biases; null: zero_init.v1", keyword_only);
}

// The model file goes before the settings.
bool normalizes(const Model& model, const Softmax& c) {
  const Node* stored = model.attr("softmax_normalize");
  return stored != nullptr && stored->is_bool() ? stored->as_bool() : c.normalize;
}

float temperature_of(const Model& model, const Softmax& c) {
  const Node* stored = model.attr("softmax_temperature");
  const bool is_number =
      stored != nullptr && stored->is_float() && std::isfinite(stored->as_float());
  const double value = is_number ? stored->as_float() : c.temperature;
  return static_cast<float>(value > 0.0 ? value : c.temperature);
}

// The gradient that it takes is that of the scores: p - truth, as the loss gives it.
Value backward(Context& ctx, const Model& model, const Tensor& x, Tensor dy, float temperature) {
  const Parameter& w = model.param("W");
  Tensor scaled = ctx.result<Scale>(dy.shape(), dy);
  ctx.run<Scale>(dy, 1.0F / temperature, scaled.view());
  add_weight_gradient(ctx, w, scaled, x);
  add_bias_gradient(ctx, model.param("b"), scaled);
  Tensor dx = ctx.gradient<Gemm>(x);
  ctx.run<Gemm>(scaled, Transpose::no, w.value, Transpose::no, dx.view(), 0.0F);
  return dx;
}

// The class with the highest score has the highest probability too. So prediction may leave the
// exponentials out where nobody reads probabilities; training always needs them.
Forward forward(Context& ctx, const Model& model, const Softmax& c, const Value& input) {
  const Tensor x = as_tensor(input);
  const Tensor& w = model.param("W").value;
  Tensor scores = ctx.result<Affine>({x.dim(0), w.dim(0)}, x, w);
  ctx.run<Affine>(x, w, model.param("b").value, scores.view());
  const float temperature = temperature_of(model, c);
  Tensor y = scores;
  if (normalizes(model, c) || ctx.training()) {
    y = ctx.result<SoftmaxForward>(scores.shape(), scores);
    ctx.run<SoftmaxForward>(scores, temperature, y.view());
  }
  if (!ctx.training()) return {y, {}};
  return {y, [&model, x, temperature](Context& ctx, const Value& dy) {
            return backward(ctx, model, x, as_tensor(dy), temperature);
          }};
}

// With zeros, the default, all classes are equally probable at first.
void initialize(Context& ctx, Model& model, const Softmax& c, const Value& input,
                const Value& output, InitRandom& random) {
  ctx.require<SoftmaxForward>();
  infer_dim(model, "nI", input);
  infer_dim(model, "nO", output);
  const std::int64_t outputs = known_dim(model, "nO");
  init_param(model, "W", {outputs, known_dim(model, "nI")}, c.init_w.value_or(zero_init()), random);
  init_param(model, "b", {outputs}, c.init_b.value_or(zero_init()), random);
}

struct SoftmaxV1 {
  Softmax settings;
};

template <class V>
void fields(V& v, SoftmaxV1& c) {
  weight_fields(v, c.settings);
}

ModelPtr softmax_v1(const SoftmaxV1& c) {
  return softmax(c.settings);
}

}  // namespace

template <class V>
void fields(V& v, SoftmaxSettings& c) {
  weight_fields(v, c);
  v("normalize_outputs", c.normalize, "false: predictions are the scores before softmax",
    keyword_only);
  v("temperature", c.temperature, "divides the scores", keyword_only, more_than(0.0));
}

ModelPtr softmax(const SoftmaxSettings& c) {
  auto model = std::make_shared<Model>(
      "softmax",
      [c](Context& ctx, const Model& model, const Value& input) {
        return forward(ctx, model, c, input);
      },
      [c](Context& ctx, Model& model, const Value& input, const Value& output, InitRandom& random) {
        initialize(ctx, model, c, input, output, random);
      });
  declare_dim(*model, "nO", c.outputs);
  declare_dim(*model, "nI", c.inputs);
  model->declare_param("W", {"nO", "nI"});
  model->declare_param("b", {"nO"});
  model->set_new_bias(kImprobable);
  model->set_attr("softmax_normalize", c.normalize);
  model->set_attr("softmax_temperature", c.temperature);
  return model;
}

static const Registration registered{"layers", "Softmax.v2", softmax,
                                     "an affine map to probabilities"};
static const Registration registered_v1{"layers", "Softmax.v1", softmax_v1,
                                        "an affine map to probabilities"};

}  // namespace weft::layers
