// spacy.Tok2Vec.v2: embeds the tokens of documents and encodes them in context. spaCy 3.8.
#include "components/architectures/tok2vec_parts.h"
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct Tok2Vec {
  ModelPtr embed;
  ModelPtr encode;
};

template <class V>
void fields(V& v, Tok2Vec& c) {
  v.required("embed", c.embed, "documents to a vector for each token");
  v.required("encode", c.encode, "vectors to vectors in context");
}

ModelPtr make(const Tok2Vec& c) {
  return tok2vec(c.embed, c.encode);
}

// Its encoders take arrays; padding of the size that they name goes around them here.
ModelPtr make_v1(const Tok2Vec& c) {
  const Node* field = c.encode->attr("receptive_field");
  const auto pad = field == nullptr ? 0 : static_cast<int>(field->as_integer());
  ModelPtr model = layers::chain({c.embed, layers::with_array(c.encode, pad)});
  if (const auto width = c.encode->find_dim("nO")) model->set_dim("nO", *width);
  model->set_ref("embed", c.embed);
  model->set_ref("encode", c.encode);
  return model;
}

}  // namespace

ModelPtr tok2vec(const ModelPtr& embed, const ModelPtr& encode) {
  ModelPtr model = layers::chain({embed, encode});
  if (const auto width = encode->find_dim("nO")) model->set_dim("nO", *width);
  model->set_ref("embed", embed);
  model->set_ref("encode", encode);
  return model;
}

static const Registration registered{"architectures", "spacy.Tok2Vec.v2", make,
                                     "embeds the tokens of documents and encodes them"};
static const Registration registered_v1{"architectures", "spacy-legacy.Tok2Vec.v1", make_v1,
                                        "the same, for encoders of version 1"};

}  // namespace weft
