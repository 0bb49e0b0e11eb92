// chain.v1: one layer after the other. Source: Thinc 8.3.
#include <algorithm>

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

bool declares(const Model& model, std::string_view dim) {
  const auto named = [&](const auto& known) { return known.first == dim; };
  return std::any_of(model.dims().begin(), model.dims().end(), named);
}

// The output is as wide as that of the last layer that has a width of its own. Before the layers
// are initialised that width may not be known yet: then the chain's is not either.
void take_sizes(Model& model, bool initialized) {
  model.declare_dim("nO");
  for (auto layer = model.layers().rbegin(); layer != model.layers().rend(); ++layer) {
    const auto width = (*layer)->find_dim("nO");
    if (!width && (initialized || !declares(**layer, "nO"))) continue;
    if (width && !model.has_dim("nO")) model.set_dim("nO", *width);
    break;
  }
  take_dim_of(model, "nI", *model.layers().front());
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  initialize_in_sequence(ctx, model, input, output, random);
  take_sizes(model, true);
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
  model->set_path_name("chain");
  model->layers() = layers;
  take_sizes(*model, false);
  return model;
}

static const Registration registered{"layers", "chain.v1", make, "one layer after the other"};

}  // namespace weft::layers
