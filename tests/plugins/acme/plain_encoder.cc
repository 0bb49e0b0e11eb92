// An architecture made of weft's layers: one layer over windows of three tokens.
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace acme {
namespace {

struct PlainEncoderSettings {
  int width = 96;
};

template <class V>
void fields(V& v, PlainEncoderSettings& c) {
  v("width", c.width, "width of the vectors", weft::at_least(1));
}

weft::ModelPtr plain_encoder(const PlainEncoderSettings& c) {
  const weft::ModelPtr layer =
      weft::layers::chain({weft::layers::expand_window(1),
                           weft::layers::relu({.outputs = c.width, .inputs = 3 * c.width})});
  layer->set_dim("nO", c.width);
  return weft::layers::with_array(layer, 1);
}

// Layers and architectures are both models, so the kind is said.
const weft::Registration registered{"architectures", "acme.PlainEncoder.v1", plain_encoder,
                                    "one layer over windows of tokens"};

}  // namespace
}  // namespace acme
