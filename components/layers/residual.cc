// residual.v1: adds the input to the output. He and others (2016); Thinc 8.3.
#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model& model, const Value& input) {
  Forward inner = (*model.layers().front())(ctx, input);
  add_value(ctx, inner.output, input);
  if (!ctx.training()) return {std::move(inner.output), {}};
  return {std::move(inner.output),
          [backward = std::move(inner.backward)](Context& ctx, const Value& dy) {
            Value dx = backward(ctx, dy);
            add_value(ctx, dx, dy);
            return dx;
          }};
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  initialize_in_sequence(ctx, model, input, output, random);
  for (const char* dim : {"nO", "nI"}) take_dim_of(model, dim, *model.layers().front());
}

struct Residual {
  ModelPtr layer;
};

template <class V>
void fields(V& v, Residual& c) {
  v.required("layer", c.layer, "the layer whose input is added to its output");
}

ModelPtr make(const Residual& c) {
  return residual(c.layer);
}

}  // namespace

ModelPtr residual(const ModelPtr& layer) {
  auto model = std::make_shared<Model>("residual(" + layer->name() + ")", forward, initialize);
  model->set_path_name("residual");
  model->layers() = {layer};
  model->set_cost(cost_with_sum);
  for (const char* dim : {"nO", "nI"}) {
    model->declare_dim(dim);
    take_dim_of(*model, dim, *layer);
  }
  return model;
}

static const Registration registered{"layers", "residual.v1", make, "adds the input to the output"};

}  // namespace weft::layers
