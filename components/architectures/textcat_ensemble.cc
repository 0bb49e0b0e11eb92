// spacy.TextCatEnsemble.v2: a linear model of words beside a network that attends to token vectors.
// spaCy 3.8.
#include <optional>

#include "components/architectures/textcat_parts.h"
#include "components/layers/composition.h"
#include "components/layers/reduce.h"
#include "framework/nn/model_limits.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct TextCatEnsemble {
  ModelPtr tok2vec;
  ModelPtr linear_model;
  layers::Size nO;
};

template <class V>
void fields(V& v, TextCatEnsemble& c) {
  v.required("tok2vec", c.tok2vec, "gives a vector for each token");
  v.required("linear_model", c.linear_model,
             "the model beside it, which decides whether labels exclude each other");
  v("nO", c.nO, "number of labels; null: from the data", closed_range(1, kWidest));
}

bool is_multi_label(const Model& linear_model) {
  const Node* multi = linear_model.attr("multi_label");
  if (multi != nullptr && multi->is_bool() && linear_model.has_ref("output_layer")) {
    return multi->as_bool();
  }
  throw Error(ErrorKind::config,
              "linear_model is no model of labels (it has no attribute multi_label); take "
              "spacy.TextCatBOW.v3");
}

// The width of the token vectors first: the layers behind them are as wide.
void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  const std::int64_t width = initialized_width(ctx, model.ref("tok2vec"), input, random);
  model.ref("attention_layer").set_dim("nO", width);
  for (const char* dim : {"nO", "nI"}) {
    model.ref("maxout_layer").set_dim(dim, width);
    model.ref("norm_layer").set_dim(dim, width);
  }
  model.part("linear_model").initialize(ctx, input, output, random);
  infer_classes(model.part("output"), output);
  layers::initialize_in_sequence(ctx, model, input, output, random);
  set_classes(model, output);
}

// The layers around the linear model do not grow with it.
void keep_size(Model& linear_model) {
  for (Model* node : linear_model.walk()) node->set_may_grow(false);
}

ModelPtr textcat_ensemble(const TextCatEnsemble& c) {
  keep_size(*c.linear_model);
  const bool multi_label = is_multi_label(*c.linear_model);
  const ModelPtr attention = layers::parametric_attention(c.tok2vec->find_dim("nO"));
  const PooledBlock block = pooled_block(c.tok2vec->find_dim("nO"));
  const ModelPtr network = nested_chain({c.tok2vec, layers::list2ragged(), attention,
                                         layers::reduce("reduce_sum", Pool::sum), block.whole});
  const ModelPtr output =
      multi_label ? layers::chain({layers::linear({.outputs = c.nO}), layers::logistic()})
                  : layers::softmax({.outputs = c.nO});
  ModelPtr model = with_init(
      layers::chain({layers::concatenate({c.linear_model, network}), output}), initialize);
  model->set_part("linear_model", c.linear_model);
  model->set_part("output", output);
  model->set_ref("tok2vec", c.tok2vec);
  model->set_ref("output_layer", find_ref(*c.linear_model, "output_layer"));
  model->set_ref("attention_layer", attention);
  model->set_ref("maxout_layer", block.maxout);
  model->set_ref("norm_layer", block.norm);
  model->set_attr("multi_label", multi_label);
  return model;
}

const Registration registered{"spacy.TextCatEnsemble.v2", textcat_ensemble,
                              "labels of documents from a linear model and an attending network"};

}  // namespace

}  // namespace weft
