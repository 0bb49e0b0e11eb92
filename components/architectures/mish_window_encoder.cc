// spacy.MishWindowEncoder.v2: residual layers over windows of tokens, with Misra's activation.
// spaCy 3.8.
#include "components/layers/layers.h"
#include "registry/registration.h"

namespace weft {

namespace {

struct MishWindowEncoder {
  int width = 0;
  int window_size = 0;
  int depth = 0;
};

template <class V>
void fields(V& v, MishWindowEncoder& c) {
  v.required("width", c.width, "width of the vectors", at_least(1));
  v.required("window_size", c.window_size, "neighbours that each layer sees on either side",
             at_least(0));
  v.required("depth", c.depth, "number of layers", at_least(0));
}

ModelPtr mish_window_encoder(const MishWindowEncoder& c) {
  const ModelPtr block = layers::chain({layers::expand_window(c.window_size),
                                        layers::mish({.outputs = c.width,
                                                      .inputs = c.width * (2 * c.window_size + 1),
                                                      .dropout = 0.0,
                                                      .normalize = true})});
  const ModelPtr encoder = layers::clone(layers::residual(block), c.depth);
  encoder->set_dim("nO", c.width);
  return layers::with_array(encoder);
}

const Registration registered{"architectures", "spacy.MishWindowEncoder.v2", mish_window_encoder,
                              "residual Mish layers over windows of tokens"};

}  // namespace

}  // namespace weft
