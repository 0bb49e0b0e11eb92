// spacy.TextCatParametricAttention.v1: attends to token vectors by a learnt query. spaCy 3.8.
#include "components/architectures/textcat_parts.h"
#include "components/layers/composition.h"
#include "components/layers/reduce.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct TextCatAttention {
  ModelPtr tok2vec;
  bool exclusive_classes = false;
  layers::Size nO;
};

template <class V>
void fields(V& v, TextCatAttention& c) {
  v.required("tok2vec", c.tok2vec, "gives a vector for each token");
  v.required("exclusive_classes", c.exclusive_classes, "every document has exactly one label");
  v("nO", c.nO, "number of labels; null: from the data", closed_range(1, kWidest));
}

// The width of the token vectors first: the layers behind them are as wide.
void initialize_network(Context& ctx, Model& network, const Value& input, const Value&,
                        InitRandom& random) {
  const std::int64_t width = initialized_width(ctx, network.ref("tok2vec"), input, random);
  network.ref("attention_layer").set_dim("nO", width);
  for (const char* dim : {"nO", "nI"}) {
    network.ref("key_transform").set_dim(dim, width);
    network.ref("nonlinear_layer").set_dim(dim, width);
    network.ref("norm_layer").set_dim(dim, width);
  }
  layers::initialize_in_sequence(ctx, network, input, {}, random);
  layers::take_dim_of(network, "nO", network.ref("attention_layer"));
}

ModelPtr network_over(const ModelPtr& tok2vec) {
  const layers::Size width = tok2vec->find_dim("nO");
  const ModelPtr keys = layers::gelu({.outputs = width, .inputs = width});
  const ModelPtr attention = layers::parametric_attention(width, keys);
  const PooledBlock block = pooled_block(width);
  ModelPtr network = with_init(nested_chain({tok2vec, layers::list2ragged(), attention,
                                             layers::reduce("reduce_sum", Pool::sum), block.whole}),
                               initialize_network);
  network->set_ref("tok2vec", tok2vec);
  network->set_ref("attention_layer", attention);
  network->set_ref("key_transform", keys);
  network->set_ref("nonlinear_layer", block.maxout);
  network->set_ref("norm_layer", block.norm);
  return network;
}

ModelPtr textcat_attention(const TextCatAttention& c) {
  const ModelPtr output =
      c.exclusive_classes ? layers::softmax({.outputs = c.nO})
                          : layers::chain({layers::linear({.outputs = c.nO}), layers::logistic()});
  ModelPtr model =
      with_init(layers::chain({network_over(c.tok2vec), output}), initialize_classifier);
  model->set_ref("output_layer", output);
  model->set_attr("multi_label", !c.exclusive_classes);
  return model;
}

const Registration registered{"spacy.TextCatParametricAttention.v1", textcat_attention,
                              "labels of documents from token vectors weighted by a query"};

}  // namespace

}  // namespace weft
