// clone.v1: a layer and copies of it, one after the other. Source: Thinc 8.3.
#include <fmt/format.h>

#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

constexpr std::size_t kMostLayers = 10000;  // of a model: copies of copies grow without bounds

struct Clone {
  ModelPtr orig;
  int n = 0;
};

template <class V>
void fields(V& v, Clone& c) {
  v.required("orig", c.orig, "the layer");
  v.required("n", c.n, "how many in all; 0: none", closed_range(0, kDeepest));
}

ModelPtr make(const Clone& c) {
  return clone(c.orig, c.n);
}

}  // namespace

ModelPtr clone(const ModelPtr& layer, int count) {
  if (count == 0) return noop();
  if (count == 1) return layer;
  const std::size_t nodes = layer->walk().size() * static_cast<std::size_t>(count);
  if (nodes > kMostLayers) {
    throw Error(ErrorKind::config, fmt::format("{} copies make {} layers; a model has at most {}",
                                               count, nodes, kMostLayers));
  }
  std::vector<ModelPtr> layers{layer};
  while (static_cast<int>(layers.size()) < count) layers.push_back(layer->clone());
  return chain(layers);
}

static const Registration registered{"layers", "clone.v1", make,
                                     "a layer and copies of it, one after the other"};

}  // namespace weft::layers
