// spacy.MultiHashEmbed.v2: a hash table for each attribute of a token, mixed by a maxout layer.
// Miranda and others (2022), "Multi hash embeddings in spaCy"; spaCy 3.8.
#include <fmt/format.h>

#include "components/architectures/embed_by_type.h"
#include "components/architectures/tok2vec_parts.h"
#include "components/layers/layers.h"
#include "registry/error.h"
#include "registry/registration.h"

namespace weft {

namespace {

constexpr std::int64_t kFirstSeed = 8;

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
  if (c.attrs.empty()) throw Error(ErrorKind::config, "attrs must name at least one attribute");
  for (const int rows : c.rows) {
    if (rows < 1) throw Error(ErrorKind::config, "a table needs at least one row");
  }
  if (c.include_static_vectors) {
    throw Error(ErrorKind::config, "include_static_vectors = true is known, not built yet");
  }
}

}  // namespace

template <class V>
void fields(V& v, MultiHashEmbedSettings& c) {
  v.required("width", c.width, "width of the vectors", at_least(1));
  v.required("attrs", c.attrs, "attributes of tokens: NORM, PREFIX, SUFFIX, SHAPE ...");
  v.required("rows", c.rows, "rows of each attribute's table");
  v.required("include_static_vectors", c.include_static_vectors, "use word vectors as well");
}

ModelPtr multi_hash_embed(const MultiHashEmbedSettings& c) {
  check(c);
  std::vector<ModelPtr> columns = tables(c);
  const ModelPtr embed = columns.size() == 1 ? columns.front() : layers::concatenate(columns);
  const ModelPtr mix = layers::maxout({.outputs = c.width,
                                       .inputs = c.width * static_cast<int>(columns.size()),
                                       .pieces = 3,
                                       .dropout = 0.0,
                                       .normalize = true});
  ModelPtr model =
      layers::chain({layers::feature_extractor(c.attrs), layers::list2ragged(),
                     layers::with_array(embed), layers::with_array(mix), layers::ragged2list()});
  run_by_type(*model);
  return model;
}

static const Registration registered{"architectures", "spacy.MultiHashEmbed.v2", multi_hash_embed,
                                     "a hash table for each attribute of a token, mixed"};

}  // namespace weft
