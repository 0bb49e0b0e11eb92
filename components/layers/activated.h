// Affine maps with an activation behind them: what Mish.v1, Relu.v1 and their like have in common.
#pragma once

#include <string>

#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/ops/activation.h"
#include "registry/functions/fields.h"

namespace weft::layers {

template <class V>
void fields(V& v, ActivatedSettings& c) {
  v("nO", c.outputs, "width of the output; null: from the data", closed_range(1, kWidest));
  v("nI", c.inputs, "width of the input; null: from the data", closed_range(1, kWidest));
  v("init_W", c.init_w, "fresh weights; null: the layer's own choice", keyword_only);
  v("init_b", c.init_b, "fresh biases; null: zero_init.v1", keyword_only);
  v("dropout", c.dropout, "null: no dropout behind the layer", keyword_only, range(0.0, 1.0));
  v("normalize", c.normalize, "layer norm behind the layer", keyword_only);
}

// Params W (nO, nI), b (nO). `init_w` is used where the settings name none.
ModelPtr activated(std::string name, Activation activation, const ActivatedSettings& settings,
                   const Initializer& init_w);

}  // namespace weft::layers
