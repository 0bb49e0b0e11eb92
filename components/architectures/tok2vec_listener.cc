// spacy.Tok2VecListener.v1: the vectors that a tok2vec component earlier in the pipeline published
// for the documents at hand. spaCy 3.8.
#include "framework/nn/model.h"
#include "framework/nn/model_limits.h"
#include "framework/pipeline/listener.h"
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

ModelPtr tok2vec_listener(const Tok2VecListener& c) {
  // Its size is known, and no tok2vec runs while it is initialised.
  const auto initialize = [](Context&, Model&, const Value&, const Value&, InitRandom&) {};
  auto model = std::make_shared<Model>("tok2vec-listener", Listener{c.upstream}, initialize);
  model->set_dim("nO", c.width);
  return model;
}

const Registration registered{"architectures", "spacy.Tok2VecListener.v1", tok2vec_listener,
                              "the vectors of an earlier tok2vec component"};

}  // namespace

}  // namespace weft
