// spacy.MaxoutWindowEncoder.v2: residual layers over windows of tokens. spaCy 3.8.
#include "components/architectures/normalized_maxout.h"
#include "components/architectures/tok2vec_parts.h"
#include "components/layers/layers.h"
#include "framework/nn/fused/window_blocks.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

WindowLayer layer_of(const MaxoutWindowEncoderSettings& c) {
  const ModelPtr window = layers::expand_window(c.window_size);
  const MaxoutLayers maxout =
      normalized_maxout(c.width, std::int64_t{c.width} * (2 * c.window_size + 1), c.maxout_pieces);
  return {layers::residual(layers::chain({window, maxout.whole})), window, maxout};
}

ModelPtr stack_of(const WindowLayer& layer, const MaxoutWindowEncoderSettings& c) {
  ModelPtr stack = layers::clone(layer.residual, c.depth);
  stack->set_dim("nO", c.width);
  return stack;
}

// Each layer is computed as one block: what the maxout, the layer norm and the dropout keep; the
// output and its gradient; the numbers of the rows that it sees. Rows are padded as they are read.
// Under a precision policy it takes less.
LayerCost cost(const MaxoutWindowEncoderSettings& c, double width) {
  const double block = 4.25 * width + (2 * c.window_size + 1) + 3;
  const double stack = c.depth * block + (c.depth > 1 ? 2 * c.width : 0);
  const double pad = c.window_size * c.depth;
  return {.per_row = stack, .per_document = pad * stack, .width = static_cast<double>(c.width)};
}

// On arrays; Tok2Vec.v1 puts the padding around it.
ModelPtr maxout_window_encoder_v1(const MaxoutWindowEncoderSettings& c) {
  ModelPtr encoder = stack_of(layer_of(c), c);
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
  v.required("depth", c.depth, "number of layers; 0, which spaCy refuses: none",
             closed_range(0, kDeepest));
}

ModelPtr maxout_window_encoder(const MaxoutWindowEncoderSettings& c) {
  const WindowLayer layer = layer_of(c);
  const ModelPtr stack = stack_of(layer, c);
  ModelPtr encoder = layers::with_array(stack, c.window_size * c.depth);
  if (c.depth == 0) return encoder;
  run_by_block(*encoder, stack, layer, c.depth);
  encoder->set_cost([c](const Model&, double width) { return cost(c, width); });
  return encoder;
}

static const Registration registered{"architectures", "spacy.MaxoutWindowEncoder.v2",
                                     maxout_window_encoder,
                                     "residual maxout layers over windows of tokens"};
static const Registration registered_v1{"architectures", "spacy-legacy.MaxoutWindowEncoder.v1",
                                        maxout_window_encoder_v1, "the same, for Tok2Vec.v1"};

}  // namespace weft
