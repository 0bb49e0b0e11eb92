// with_cpu.v1: a layer that computes on the CPU wherever the others do. Source: Thinc 8.3. The ops
// of such layers have kernels for the CPU alone, and a run on another device refuses them by name.
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
}

struct WithCpu {
  ModelPtr layer;
  Node ops;
};

template <class V>
void fields(V& v, WithCpu& c) {
  v.required("layer", c.layer, "the layer");
  v.required("ops", c.ops, "null", Ignored{"ops run where their kernels are"});
}

ModelPtr make(const WithCpu& c) {
  return with_cpu(c.layer);
}

}  // namespace

ModelPtr with_cpu(const ModelPtr& layer) {
  auto model = std::make_shared<Model>("with_cpu(" + layer->name() + ")", forward, initialize);
  model->set_path_name("with_cpu");
  model->layers() = {layer};
  for (const char* dim : {"nO", "nI"}) take_dim_of(*model, dim, *layer);
  return model;
}

static const Registration registered{"layers", "with_cpu.v1", make,
                                     "a layer that computes on the CPU"};

}  // namespace weft::layers
