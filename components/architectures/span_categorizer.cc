// spacy.SpanCategorizer.v1: scores of spans from token vectors: those of a span's tokens become one
// vector, of which a scorer makes a score for each label. The component gives the spans and runs
// the parts (components/pipes/span_network.h). Source: spaCy 3.8; docs/spans.md, section 2.
#include <string_view>
#include <utility>

#include "components/architectures/textcat_parts.h"
#include "components/layers/span_layers.h"
#include "framework/nn/shape_inference.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct SpanCategorizer {
  ModelPtr tok2vec;
  ModelPtr reducer;
  ModelPtr scorer;
};

template <class V>
void fields(V& v, SpanCategorizer& c) {
  v.required("tok2vec", c.tok2vec, "gives a vector for each token");
  v.required("reducer", c.reducer, "makes one vector of those of a span's tokens");
  v.required("scorer", c.scorer, "makes a score for each label of a span's vector");
}

[[noreturn]] Forward run_by_component(Context&, const Model&, const Value&) {
  throw Error(ErrorKind::internal, "spacy.SpanCategorizer.v1 is run by the component around it");
}

// One span of one token stands for all. The output's sample has a column for each class.
void initialize(Context& ctx, Model& model, const Value& docs, const Value& output,
                InitRandom& random) {
  Model& vectors = model.part("vectors");
  vectors.initialize(ctx, docs, {}, random);
  const auto known = model.part("token_vectors").find_dim("nO");
  const std::int64_t width = known ? *known : width_of(vectors.predict(ctx, docs)).value_or(0);
  model.part("extractor").initialize(ctx, {}, {}, random);
  const Ragged span{ctx.zeros({1, width}), {1}};
  Model& reducer = model.ref("reducer");
  reducer.initialize(ctx, span, {}, random);
  const Value reduced = reducer.predict(ctx, span);
  model.ref("scorer").initialize(ctx, reduced, output, random);
  if (const auto classes = model.ref("scorer").find_dim("nO")) model.set_dim("nO", *classes);
}

ModelPtr span_categorizer(const SpanCategorizer& c) {
  const ModelPtr token_vectors = layers::chain({c.tok2vec, layers::list2ragged()});
  const ModelPtr vectors = layers::with_getitem(0, token_vectors);
  const ModelPtr extractor = layers::extract_spans();
  ModelPtr model = with_init(layers::chain({vectors, extractor, c.reducer, c.scorer}), initialize);
  model->set_forward(run_by_component);
  model->set_part("token_vectors", token_vectors);
  model->set_part("vectors", vectors);
  model->set_part("extractor", extractor);
  model->set_ref("tok2vec", c.tok2vec);
  model->set_ref("reducer", c.reducer);
  model->set_ref("scorer", c.scorer);
  return model;
}

const Registration registered{"spacy.SpanCategorizer.v1", span_categorizer, "scores of spans"};

}  // namespace

}  // namespace weft
