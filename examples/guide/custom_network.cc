// An architecture: the network of a tagger, made of weft's layers.
#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace guide {
namespace {

struct NetworkSettings {
  int output_width = 0;
};

template <class V>
void fields(V& v, NetworkSettings& c) {
  v.required("output_width", c.output_width, "width of the hidden layer",
             weft::closed_range(1, weft::kWidest));
}

// Documents to scores of tags: a vector for each word, a layer over windows of three words, and
// a softmax. The ref "output_layer" tells the tagger where the number of its tags goes.
weft::ModelPtr custom_network(const NetworkSettings& c) {
  namespace layers = weft::layers;
  const weft::ModelPtr words = layers::hash_embed({.outputs = c.output_width, .rows = 2000});
  const weft::ModelPtr hidden = layers::chain(
      {layers::expand_window(1),
       layers::relu({.outputs = c.output_width, .inputs = 3 * std::int64_t{c.output_width}})});
  const weft::ModelPtr softmax = layers::softmax({.inputs = c.output_width});
  weft::ModelPtr model = layers::chain({layers::feature_extractor({"NORM"}), layers::list2ragged(),
                                        layers::with_array(words), layers::with_array(hidden, 1),
                                        layers::with_array(softmax)});
  model->set_ref("output_layer", softmax);
  return model;
}

const weft::Registration registered{"architectures", "custom_neural_network.v1", custom_network,
                                    "tags from windows of three words"};

}  // namespace
}  // namespace guide
