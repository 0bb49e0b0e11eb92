// spacy.HashEmbedCNN.v2: MultiHashEmbed and MaxoutWindowEncoder with common settings. spaCy 3.8.
#include <optional>

#include "components/architectures/tok2vec_parts.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct HashEmbedCnn {
  int width = 0;
  int depth = 0;
  int embed_size = 0;
  int window_size = 0;
  int maxout_pieces = 0;
  bool subword_features = false;
  std::optional<bool> pretrained_vectors;
};

template <class V>
void fields(V& v, HashEmbedCnn& c) {
  v.required("width", c.width, "width of the vectors", closed_range(1, kWidest));
  v.required("depth", c.depth, "number of window layers; 0, which spaCy refuses: none",
             closed_range(0, kDeepest));
  v.required("embed_size", c.embed_size,
             "rows of the table of norms; those of prefix, suffix and shape have half of it",
             closed_range(2, kMostRows));
  v.required("window_size", c.window_size, "neighbours that each layer sees on either side",
             closed_range(0, kWidestWindow));
  v.required("maxout_pieces", c.maxout_pieces, "pieces of which the largest counts",
             closed_range(1, 255));
  v.required("subword_features", c.subword_features, "prefix, suffix and shape as well");
  v.required("pretrained_vectors", c.pretrained_vectors, "use word vectors as well");
}

MultiHashEmbedSettings embedding(const HashEmbedCnn& c) {
  MultiHashEmbedSettings embed{
      c.width, {"NORM"}, {c.embed_size}, c.pretrained_vectors.value_or(false)};
  if (c.subword_features) {
    embed.attrs = {"NORM", "PREFIX", "SUFFIX", "SHAPE"};
    embed.rows.resize(embed.attrs.size(), c.embed_size / 2);
  }
  return embed;
}

ModelPtr encoder(const HashEmbedCnn& c) {
  return maxout_window_encoder({c.width, c.window_size, c.maxout_pieces, c.depth});
}

ModelPtr hash_embed_cnn(const HashEmbedCnn& c) {
  return tok2vec(multi_hash_embed(embedding(c)), encoder(c));
}

ModelPtr hash_embed_cnn_v1(const HashEmbedCnn& c) {
  return tok2vec(multi_hash_embed_v1(embedding(c)), encoder(c));
}

const Registration registered{"architectures", "spacy.HashEmbedCNN.v2", hash_embed_cnn,
                              "hash embeddings and a convolutional encoder"};
const Registration registered_v1{"architectures", "spacy-legacy.HashEmbedCNN.v1", hash_embed_cnn_v1,
                                 "the same, with the older layer of static vectors"};

}  // namespace

}  // namespace weft
