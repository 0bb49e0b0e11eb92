// spacy.Tok2VecListener.v1: the vectors that a tok2vec component earlier in the pipeline published
// for the documents at hand. spaCy 3.8.
#include "framework/nn/model.h"
#include "framework/nn/model_limits.h"
#include "framework/pipeline/slots.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct Tok2VecListener {
  int width = 0;
  std::string upstream = "*";
};

template <class V>
void fields(V& v, Tok2VecListener& c) {
  v.required("width", c.width, "width of the vectors", closed_range(1, kWidest));
  v("upstream", c.upstream, "name of the tok2vec component; *: the latest one");
}

// What the pipeline has for the documents. Outside of a pipeline, while sizes are inferred, zeros.
Value vectors_for(Context& ctx, const Model& model, const std::string& upstream,
                  const Value& input) {
  if (ctx.pass().slots() == nullptr) {
    Ragged zeros;
    std::int64_t tokens = 0;
    for (const Doc* doc : as_docs(input)) {
      zeros.lengths.push_back(doc->size());
      tokens += doc->size();
    }
    zeros.data = ctx.zeros({tokens, model.dim("nO")});
    return zeros;
  }
  const Value* output = ctx.pass().slots()->output(upstream);
  if (output == nullptr) {
    throw Error(ErrorKind::config,
                "a Tok2VecListener finds no token vectors: the pipeline needs a tok2vec component"
                " before it (upstream \"" +
                    upstream + "\")");
  }
  return *output;
}

ModelPtr tok2vec_listener(const Tok2VecListener& c) {
  const auto forward = [upstream = c.upstream](Context& ctx, const Model& model,
                                               const Value& input) -> Forward {
    const Value vectors = vectors_for(ctx, model, upstream, input);
    if (!ctx.training()) return {vectors, {}};
    return {vectors, [upstream](Context& ctx, const Value& d_vectors) {
              ctx.pass().slots()->add_gradient(upstream, d_vectors);
              return Value();
            }};
  };
  // Its size is known, and no tok2vec runs while it is initialised.
  const auto initialize = [](Context&, Model&, const Value&, const Value&, InitRandom&) {};
  auto model = std::make_shared<Model>("tok2vec-listener", forward, initialize);
  model->set_dim("nO", c.width);
  return model;
}

const Registration registered{"architectures", "spacy.Tok2VecListener.v1", tok2vec_listener,
                              "the vectors of an earlier tok2vec component"};

}  // namespace

}  // namespace weft
