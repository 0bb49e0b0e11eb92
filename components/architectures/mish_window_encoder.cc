// spacy.MishWindowEncoder.v2: residual layers over windows of tokens, with Misra's activation.
// spaCy 3.8.
#include "components/architectures/tok2vec_parts.h"
#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

ModelPtr layers_of(const MishWindowEncoderSettings& c) {
  const ModelPtr block = layers::chain({layers::expand_window(c.window_size),
                                        layers::mish({.outputs = c.width,
                                                      .inputs = c.width * (2 * c.window_size + 1),
                                                      .dropout = 0.0,
                                                      .normalize = true})});
  ModelPtr encoder = layers::clone(layers::residual(block), c.depth);
  encoder->set_dim("nO", c.width);
  if (c.depth > 1) encoder->set_cost(cost_with_sum);
  return encoder;
}

}  // namespace

template <class V>
void fields(V& v, MishWindowEncoderSettings& c) {
  v.required("width", c.width, "width of the vectors", closed_range(1, kWidest));
  v.required("window_size", c.window_size, "neighbours that each layer sees on either side",
             closed_range(0, kWidestWindow));
  v.required("depth", c.depth, "number of layers; 0, which spaCy refuses: none",
             closed_range(0, kDeepest));
}

ModelPtr mish_window_encoder(const MishWindowEncoderSettings& c) {
  return layers::with_array(layers_of(c));
}

static const Registration registered{"architectures", "spacy.MishWindowEncoder.v2",
                                     mish_window_encoder,
                                     "residual Mish layers over windows of tokens"};
static const Registration registered_v1{"architectures", "spacy-legacy.MishWindowEncoder.v1",
                                        layers_of, "the same, for Tok2Vec.v1"};

}  // namespace weft
