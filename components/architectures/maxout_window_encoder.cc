// spacy.MaxoutWindowEncoder.v2: residual layers over windows of tokens. spaCy 3.8.
#include "components/architectures/tok2vec_parts.h"
#include "components/architectures/window_blocks.h"
#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

ModelPtr layers_of(const MaxoutWindowEncoderSettings& c) {
  const ModelPtr block = layers::chain({layers::expand_window(c.window_size),
                                        layers::maxout({.outputs = c.width,
                                                        .inputs = c.width * (2 * c.window_size + 1),
                                                        .pieces = c.maxout_pieces,
                                                        .dropout = 0.0,
                                                        .normalize = true})});
  ModelPtr encoder = layers::clone(layers::residual(block), c.depth);
  encoder->set_dim("nO", c.width);
  return encoder;
}

// On arrays; Tok2Vec.v1 puts the padding around it.
ModelPtr maxout_window_encoder_v1(const MaxoutWindowEncoderSettings& c) {
  ModelPtr encoder = layers_of(c);
  encoder->set_attr("receptive_field", c.window_size * c.depth);
  return encoder;
}

}  // namespace

template <class V>
void fields(V& v, MaxoutWindowEncoderSettings& c) {
  v.required("width", c.width, "width of the vectors", closed_range(1, kWidest));
  v.required("window_size", c.window_size, "neighbours that each layer sees on either side",
             closed_range(0, kWidestWindow));
  v.required("maxout_pieces", c.maxout_pieces, "pieces of which the largest counts",
             closed_range(1, 255));
  v.required("depth", c.depth, "number of layers", closed_range(0, kDeepest));
}

ModelPtr maxout_window_encoder(const MaxoutWindowEncoderSettings& c) {
  ModelPtr encoder = layers::with_array(layers_of(c), c.window_size * c.depth);
  if (c.depth > 0) run_by_block(*encoder, c.window_size, c.depth);
  return encoder;
}

static const Registration registered{"architectures", "spacy.MaxoutWindowEncoder.v2",
                                     maxout_window_encoder,
                                     "residual maxout layers over windows of tokens"};
static const Registration registered_v1{"architectures", "spacy-legacy.MaxoutWindowEncoder.v1",
                                        maxout_window_encoder_v1, "the same, for Tok2Vec.v1"};

}  // namespace weft
