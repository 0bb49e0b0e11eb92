// spacy.Tagger.v2: a softmax over classes for each token vector. Source: spaCy 3.8.
#include <optional>

#include "components/layers/layers.h"
#include "framework/nn/initializer.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct Tagger {
  ModelPtr tok2vec;
  std::optional<int> nO;
  bool normalize = false;
};

template <class V>
void fields(V& v, Tagger& c) {
  v.required("tok2vec", c.tok2vec, "gives a vector for each token");
  v("nO", c.nO, "number of classes, null: from the data", closed_range(1, kWidest));
  v("normalize", c.normalize, "predictions are probabilities; else scores, which are faster");
}

// Its weights start at zero, so that no class is preferred.
ModelPtr tagger(const Tagger& c) {
  const ModelPtr softmax = layers::softmax(
      {.outputs = c.nO, .inputs = c.tok2vec->find_dim("nO"), .normalize = c.normalize});
  ModelPtr model = layers::chain({c.tok2vec, layers::with_array(softmax)});
  if (c.nO) model->set_dim("nO", *c.nO);
  model->set_ref("tok2vec", c.tok2vec);
  model->set_ref("softmax", softmax);
  model->set_ref("output_layer", softmax);
  return model;
}

struct TaggerV1 {
  Tagger settings{.tok2vec = nullptr, .nO = {}, .normalize = true};
};

template <class V>
void fields(V& v, TaggerV1& c) {
  v.required("tok2vec", c.settings.tok2vec, "gives a vector for each token");
  v("nO", c.settings.nO, "number of classes, null: from the data", closed_range(1, kWidest));
}

ModelPtr tagger_v1(const TaggerV1& c) {
  return tagger(c.settings);
}

const Registration registered{"spacy.Tagger.v2", tagger, "a softmax over classes for each token"};
const Registration registered_v1{"spacy-legacy.Tagger.v1", tagger_v1,
                                 "the same; its predictions are probabilities"};

}  // namespace

}  // namespace weft
