// resizable.v1: a layer whose number of outputs may grow when it is trained already. Source: Thinc
// 8.3.
#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model& model, const Value& input) {
  return (*model.layers().front())(ctx, input);
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  model.layers().front()->initialize(ctx, input, output, random);
  for (const char* dim : {"nI", "length"}) take_dim_of(model, dim, *model.layers().front());
}

struct Resizable {
  ModelPtr layer;
  Node resize_layer;
};

template <class V>
void fields(V& v, Resizable& c) {
  v.required("layer", c.layer, "the layer");
  v.required("resize_layer", c.resize_layer, "null",
             Ignored{"components that add labels know how their layers grow"});
}

ModelPtr make(const Resizable& c) {
  return resizable(c.layer);
}

}  // namespace

ModelPtr resizable(const ModelPtr& layer) {
  auto model = std::make_shared<Model>("resizable(" + layer->name() + ")", forward, initialize);
  model->set_path_name("resizable");
  model->layers() = {layer};
  layer->set_may_grow(true);
  for (const char* dim : {"nO", "nI", "length"}) take_dim_of(*model, dim, *layer);
  return model;
}

static const Registration registered{"layers", "resizable.v1", make,
                                     "a layer whose number of outputs may grow"};

}  // namespace weft::layers
