// add.v1: the sum of what several layers make of one input. Source: Thinc 8.3.
#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model& model, const Value& input) {
  Value sum;
  std::vector<Backward> ways;
  for (const ModelPtr& layer : model.layers()) {
    Forward part = (*layer)(ctx, input);
    add_value(ctx, sum, part.output);
    ways.push_back(std::move(part.backward));
  }
  if (!ctx.training()) return {std::move(sum), {}};
  return {std::move(sum), [ways = std::move(ways)](Context& ctx, const Value& dy) {
            Value dx;
            for (const Backward& way : ways) add_value(ctx, dx, way(ctx, dy));
            return dx;
          }};
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  for (const ModelPtr& layer : model.layers()) layer->initialize(ctx, input, output, random);
  for (const char* dim : {"nO", "nI"}) take_dim_of(model, dim, *model.layers().front());
}

struct Add {
  ModelPtr layer1;
  ModelPtr layer2;
  std::vector<ModelPtr> layers;
};

template <class V>
void fields(V& v, Add& c) {
  v.required("layer1", c.layer1, "the first layer");
  v.required("layer2", c.layer2, "the second, of the same widths");
  v.variadic("layers", c.layers, "more of them");
}

ModelPtr make(const Add& c) {
  std::vector<ModelPtr> layers{c.layer1, c.layer2};
  layers.insert(layers.end(), c.layers.begin(), c.layers.end());
  return add(layers);
}

}  // namespace

ModelPtr add(const std::vector<ModelPtr>& layers) {
  require_layers("add", layers, 2);
  auto model = std::make_shared<Model>("add", forward, initialize);
  model->layers() = layers;
  for (const char* dim : {"nO", "nI"}) take_dim_of(*model, dim, *layers.front());
  return model;
}

static const Registration registered{"layers", "add.v1", make,
                                     "the sum of what several layers make of one input"};

}  // namespace weft::layers
