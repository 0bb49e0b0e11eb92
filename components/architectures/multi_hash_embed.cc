// spacy.MultiHashEmbed.v2: a hash table for each attribute of a token, mixed by a maxout layer.
// Miranda and others (2022), "Multi hash embeddings in spaCy"; spaCy 3.8.
#include <fmt/format.h>

#include "components/architectures/normalized_maxout.h"
#include "components/architectures/tok2vec_parts.h"
#include "components/layers/layers.h"
#include "framework/nn/fused/embed_by_type.h"
#include "framework/nn/model_limits.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr std::int64_t kFirstSeed = 8;
constexpr std::size_t kMostAttributes = 256;

std::vector<ModelPtr> tables(const MultiHashEmbedSettings& c) {
  std::vector<ModelPtr> tables;
  for (std::size_t i = 0; i < c.attrs.size(); ++i) {
    const auto column = static_cast<std::int64_t>(i);
    tables.push_back(layers::hash_embed({.outputs = c.width,
                                         .rows = c.rows[i],
                                         .seed = kFirstSeed + column,
                                         .column = column,
                                         .dropout = 0.0}));
  }
  return tables;
}

void check(const MultiHashEmbedSettings& c) {
  if (c.rows.size() != c.attrs.size()) {
    throw Error(ErrorKind::config, fmt::format("{} attrs need as many rows, there are {}",
                                               c.attrs.size(), c.rows.size()));
  }
  if (c.attrs.size() > kMostAttributes) {
    throw Error(ErrorKind::config,
                fmt::format("{} attrs are more than {}", c.attrs.size(), kMostAttributes));
  }
  if (c.attrs.empty()) throw Error(ErrorKind::config, "attrs must name at least one attribute");
}

// Ids to the columns of all attributes, side by side.
ModelPtr side_by_side(const std::vector<ModelPtr>& columns) {
  return layers::with_array(columns.size() == 1 ? columns.front() : layers::concatenate(columns));
}

// `vectors`: a layer of static vectors, or null.
ModelPtr mixed(const MultiHashEmbedSettings& c, const ModelPtr& vectors) {
  check(c);
  const int blocks = static_cast<int>(c.attrs.size()) + (vectors ? 1 : 0);
  const MaxoutLayers mix = normalized_maxout(c.width, std::int64_t{c.width} * blocks, 3);
  const std::vector<ModelPtr> of_columns = tables(c);
  const ModelPtr features = layers::feature_extractor(c.attrs), columns = side_by_side(of_columns);
  std::vector<ModelPtr> parts = {features, layers::list2ragged(), columns};
  if (vectors) parts = {layers::concatenate({layers::chain(parts), vectors})};
  parts.push_back(layers::with_array(mix.whole));
  parts.push_back(layers::ragged2list());
  ModelPtr model = layers::chain(parts);
  if (vectors) return model;
  std::vector<ModelPtr> hashes;  // each behind the layer that chooses its column
  hashes.reserve(of_columns.size());
  for (const ModelPtr& column : of_columns) hashes.push_back(column->layers().back());
  run_by_type(*model, {features, columns, hashes, mix});
  return model;
}

}  // namespace

template <class V>
void fields(V& v, MultiHashEmbedSettings& c) {
  v.required("width", c.width, "width of the vectors", closed_range(1, kWidest));
  v.required("attrs", c.attrs, "attributes of tokens: NORM, PREFIX, SUFFIX, SHAPE ...");
  v.required("rows", c.rows, "rows of each attribute's table", closed_range(1, kMostRows));
  v.required("include_static_vectors", c.include_static_vectors, "use word vectors as well");
}

ModelPtr multi_hash_embed(const MultiHashEmbedSettings& c) {
  if (!c.include_static_vectors) return mixed(c, nullptr);
  return mixed(c, layers::static_vectors({.outputs = c.width, .dropout = 0.0}));
}

ModelPtr multi_hash_embed_v1(const MultiHashEmbedSettings& c) {
  if (!c.include_static_vectors) return mixed(c, nullptr);
  return mixed(c, layers::static_vectors_v1({.outputs = c.width, .dropout = 0.0}));
}

static const Registration registered{"architectures", "spacy.MultiHashEmbed.v2", multi_hash_embed,
                                     "a hash table for each attribute of a token, mixed"};
static const Registration registered_v1{"architectures", "spacy-legacy.MultiHashEmbed.v1",
                                        multi_hash_embed_v1,
                                        "the same, with the older layer of static vectors"};

}  // namespace weft
