// clone.v1: a layer and copies of it, one after the other. Source: Thinc 8.3.
#include "components/layers/layers.h"
#include "registry/registration.h"

namespace weft::layers {

namespace {

struct Clone {
  ModelPtr orig;
  int n = 0;
};

template <class V>
void fields(V& v, Clone& c) {
  v.required("orig", c.orig, "the layer");
  v.required("n", c.n, "how many in all; 0: none", at_least(0));
}

ModelPtr make(const Clone& c) {
  return clone(c.orig, c.n);
}

}  // namespace

ModelPtr clone(const ModelPtr& layer, int count) {
  if (count == 0) return noop();
  if (count == 1) return layer;
  std::vector<ModelPtr> layers{layer};
  while (static_cast<int>(layers.size()) < count) layers.push_back(layer->clone());
  return chain(layers);
}

static const Registration registered{"layers", "clone.v1", make,
                                     "a layer and copies of it, one after the other"};

}  // namespace weft::layers
