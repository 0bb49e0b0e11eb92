// spacy.SpanFinder.v1: for each token, whether a span starts with it and whether one ends with it.
// Source: spaCy 3.8; docs/spans.md, section 5.
#include "components/architectures/textcat_parts.h"
#include "components/layers/layers.h"
#include "framework/nn/shape_inference.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct SpanFinder {
  ModelPtr tok2vec;
  ModelPtr scorer;
};

template <class V>
void fields(V& v, SpanFinder& c) {
  v.required("tok2vec", c.tok2vec, "gives a vector for each token");
  v.required("scorer", c.scorer, "makes the two scores of a token's vector");
}

void initialize(Context& ctx, Model& model, const Value& docs, const Value& output,
                InitRandom& random) {
  Model& tok2vec = model.ref("tok2vec");
  const std::int64_t width = initialized_width(ctx, tok2vec, docs, random);
  model.ref("logistic_layer").initialize(ctx, ctx.zeros({1, width}), output, random);
  if (const auto columns = width_of(output)) model.set_dim("nO", *columns);
}

ModelPtr span_finder(const SpanFinder& c) {
  const ModelPtr scores = layers::with_array(c.scorer);
  const ModelPtr flattener = layers::list2array();
  flattener->set_name("Flattener");
  const ModelPtr model = with_init(layers::chain({c.tok2vec, scores, flattener}), initialize);
  model->set_ref("tok2vec", c.tok2vec);
  model->set_ref("scorer", c.scorer);
  model->set_ref("logistic_layer", scores);
  return model;
}

const Registration registered{"spacy.SpanFinder.v1", span_finder,
                              "the first and last tokens of spans"};

}  // namespace

}  // namespace weft
