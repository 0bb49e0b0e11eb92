// Sigmoid.v1: an affine map to numbers between 0 and 1. Source: Thinc 8.3.
#include "components/layers/activated.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

struct Sigmoid {
  Size outputs;
  Size inputs;
  std::optional<Initializer> init_w;
  std::optional<Initializer> init_b;
};

template <class V>
void fields(V& v, Sigmoid& c) {
  v("nO", c.outputs, "number of classes; null: from the data", closed_range(1, kWidest));
  v("nI", c.inputs, "width of the input; null: from the data", closed_range(1, kWidest));
  v("init_W", c.init_w, "fresh weights; null: zero_init.v1", keyword_only);
  v("init_b", c.init_b, "fresh biases; null: zero_init.v1", keyword_only);
}

ModelPtr make(const Sigmoid& c) {
  return sigmoid(c.outputs, c.inputs, c.init_w, c.init_b);
}

}  // namespace

ModelPtr sigmoid(Size outputs, Size inputs, const std::optional<Initializer>& init_w,
                 const std::optional<Initializer>& init_b) {
  return activated("sigmoid", Activation::sigmoid,
                   {.outputs = outputs, .inputs = inputs, .init_w = init_w, .init_b = init_b},
                   zero_init());
}

static const Registration registered{"layers", "Sigmoid.v1", make,
                                     "an affine map to numbers between 0 and 1"};

}  // namespace weft::layers
