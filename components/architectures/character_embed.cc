// spacy.CharacterEmbed.v2: some bytes of each word and one hashed attribute, mixed by a maxout
// layer. Source: spaCy 3.8.
#include "components/architectures/tok2vec_parts.h"
#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr std::int64_t kSeed = 5;

// Unlike the tables of MultiHashEmbed, this one never drops.
ModelPtr hashed_feature(const CharacterEmbedSettings& c) {
  const ModelPtr table =
      layers::hash_embed({.outputs = c.width, .rows = c.rows, .seed = kSeed, .column = 0});
  return layers::chain(
      {layers::feature_extractor({c.feature}), layers::list2ragged(), layers::with_array(table)});
}

// `vectors`: a layer of static vectors, or null.
ModelPtr mixed(const CharacterEmbedSettings& c, const ModelPtr& vectors) {
  std::vector<ModelPtr> parts = {
      layers::chain({layers::char_embed(c.nM, c.nC), layers::list2ragged()}), hashed_feature(c)};
  if (vectors) parts.push_back(vectors);
  const ModelPtr mix = layers::maxout({.outputs = c.width,
                                       .inputs = c.nM * c.nC + c.width * (vectors ? 2 : 1),
                                       .pieces = 3,
                                       .dropout = 0.0,
                                       .normalize = true});
  return layers::chain(
      {layers::concatenate(parts), layers::with_array(mix), layers::ragged2list()});
}

ModelPtr character_embed_v1(const CharacterEmbedSettings& c) {
  if (!c.include_static_vectors) return mixed(c, nullptr);
  return mixed(c, layers::static_vectors_v1({.outputs = c.width, .dropout = 0.0}));
}

}  // namespace

template <class V>
void fields(V& v, CharacterEmbedSettings& c) {
  v.required("width", c.width, "width of the vectors", closed_range(1, kWidest));
  v.required("rows", c.rows, "rows of the table of the attribute", closed_range(1, kMostRows));
  v.required("nM", c.nM, "width of the vector of each byte", closed_range(1, kWidest));
  v.required("nC", c.nC, "bytes of each word, from both ends inwards", closed_range(1, kMostBytes));
  v.required("include_static_vectors", c.include_static_vectors, "use word vectors as well");
  v("feature", c.feature, "attribute of tokens that is embedded beside the bytes");
}

ModelPtr character_embed(const CharacterEmbedSettings& c) {
  if (!c.include_static_vectors) return mixed(c, nullptr);
  return mixed(c, layers::static_vectors({.outputs = c.width, .dropout = 0.0}));
}

static const Registration registered{"architectures", "spacy.CharacterEmbed.v2", character_embed,
                                     "bytes of each word and one hashed attribute, mixed"};
static const Registration registered_v1{"architectures", "spacy-legacy.CharacterEmbed.v1",
                                        character_embed_v1,
                                        "the same, with the older layer of static vectors"};

}  // namespace weft
