// noop.v1: gives what it takes. Source: Thinc 8.3.
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model&, const Value& input) {
  if (!ctx.training()) return {input, {}};
  return {input, [](Context&, const Value& d_output) { return d_output; }};
}

struct Noop {
  std::vector<ModelPtr> layers;
};

template <class V>
void fields(V& v, Noop& c) {
  v.variadic("layers", c.layers, "kept in the tree and never run");
}

ModelPtr make(const Noop& c) {
  return noop(c.layers);
}

}  // namespace

ModelPtr noop(const std::vector<ModelPtr>& layers) {
  auto model = std::make_shared<Model>("noop", forward);
  model->layers() = layers;
  return model;
}

static const Registration registered{"layers", "noop.v1", make, "gives what it takes"};

}  // namespace weft::layers
