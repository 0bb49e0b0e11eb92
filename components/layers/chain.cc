// chain.v1: one layer after the other. Source: Thinc 8.3.
#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model& model, const Value& input) {
  Value value = input;
  std::vector<Backward> steps;
  for (const ModelPtr& layer : model.layers()) {
    Forward step = (*layer)(ctx, value);
    value = std::move(step.output);
    if (ctx.training()) steps.push_back(std::move(step.backward));
  }
  if (!ctx.training()) return {std::move(value), {}};
  return {std::move(value), [steps = std::move(steps)](Context& ctx, const Value& d_output) {
            Value gradient = d_output;
            for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
              gradient = (*step)(ctx, gradient);
            }
            return gradient;
          }};
}

// The output is as wide as that of the last layer that has a width of its own.
void take_sizes(Model& model) {
  model.declare_dim("nO");
  for (auto layer = model.layers().rbegin(); layer != model.layers().rend(); ++layer) {
    if (!(*layer)->has_dim("nO")) continue;
    if (!model.has_dim("nO")) model.set_dim("nO", (*layer)->dim("nO"));
    break;
  }
  take_dim_of(model, "nI", *model.layers().front());
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  initialize_in_sequence(ctx, model, input, output, random);
  take_sizes(model);
}

struct Chain {
  std::vector<ModelPtr> layers;
};

template <class V>
void fields(V& v, Chain& c) {
  v.variadic("layer", c.layers, "the layers, in order");
}

ModelPtr make(const Chain& c) {
  return chain(c.layers);
}

}  // namespace

ModelPtr chain(const std::vector<ModelPtr>& layers) {
  require_layers("chain", layers, 1);
  auto model = std::make_shared<Model>(joined_names(layers, ">>"), forward, initialize);
  model->layers() = layers;
  take_sizes(*model);
  return model;
}

static const Registration registered{"layers", "chain.v1", make, "one layer after the other"};

}  // namespace weft::layers
