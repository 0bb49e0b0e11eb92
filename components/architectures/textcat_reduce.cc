// spacy.TextCatReduce.v1 and spacy.TextCatCNN.v2: pools the token vectors of a document. spaCy 3.8.
#include <vector>

#include "components/architectures/textcat_parts.h"
#include "components/layers/composition.h"
#include "components/layers/reduce.h"
#include "framework/nn/model_limits.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct TextCatReduce {
  ModelPtr tok2vec;
  bool exclusive_classes = false;
  bool use_reduce_first = false;
  bool use_reduce_last = false;
  bool use_reduce_max = false;
  bool use_reduce_mean = false;
  layers::Size nO;
};

template <class V>
void tok2vec_fields(V& v, TextCatReduce& c) {
  v.required("tok2vec", c.tok2vec, "gives a vector for each token");
  v.required("exclusive_classes", c.exclusive_classes, "every document has exactly one label");
}

template <class V>
void nO_field(V& v, TextCatReduce& c) {
  v("nO", c.nO, "number of labels; null: from the data", closed_range(1, kWidest));
}

template <class V>
void fields(V& v, TextCatReduce& c) {
  tok2vec_fields(v, c);
  v.required("use_reduce_first", c.use_reduce_first, "the vector of the first token");
  v.required("use_reduce_last", c.use_reduce_last, "the vector of the last token");
  v.required("use_reduce_max", c.use_reduce_max, "the largest number of each column");
  v.required("use_reduce_mean", c.use_reduce_mean, "the mean of the vectors");
  nO_field(v, c);
}

struct TextCatCnn {
  TextCatReduce settings;
};

template <class V>
void fields(V& v, TextCatCnn& c) {
  tok2vec_fields(v, c.settings);
  nO_field(v, c.settings);
}

struct TextCatCnnV1 {
  TextCatReduce settings;
};

template <class V>
void fields(V& v, TextCatCnnV1& c) {
  tok2vec_fields(v, c.settings);
  nO_field(v, c.settings);
}

ModelPtr reduction_of(const TextCatReduce& c) {
  std::vector<ModelPtr> chosen;
  if (c.use_reduce_first)
    chosen.push_back(with_tokens(layers::reduce("reduce_first", Pool::first)));
  if (c.use_reduce_last) chosen.push_back(with_tokens(layers::reduce("reduce_last", Pool::last)));
  if (c.use_reduce_max) chosen.push_back(with_tokens(layers::reduce("reduce_max", Pool::max)));
  if (c.use_reduce_mean) chosen.push_back(layers::reduce("reduce_mean", Pool::mean));
  if (chosen.empty()) {
    throw Error(ErrorKind::config,
                "no reduction is chosen: set at least one of use_reduce_first, use_reduce_last, "
                "use_reduce_max and use_reduce_mean to true");
  }
  return chosen.size() == 1 ? chosen.front() : layers::concatenate(chosen);
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  initialize_classifier(ctx, model, input, output, random);
  // Pools do not know their width.
  model.part("pooled").replace_dim("nO", model.ref("output_layer").dim("nI"));
}

ModelPtr reduced(const TextCatReduce& c, bool grows) {
  const ModelPtr pooled =
      layers::chain({layers::chain({c.tok2vec, layers::list2ragged()}), reduction_of(c)});
  const ModelPtr output =
      c.exclusive_classes ? layers::softmax({.outputs = c.nO}) : layers::linear({.outputs = c.nO});
  ModelPtr body = layers::chain({pooled, grows ? layers::resizable(output) : output});
  if (!c.exclusive_classes) body = layers::chain({body, layers::logistic()});
  ModelPtr model = with_init(body, initialize);
  model->set_part("pooled", pooled);
  model->set_ref("output_layer", output);
  model->set_ref("tok2vec", c.tok2vec);
  model->set_attr("multi_label", !c.exclusive_classes);
  return model;
}

ModelPtr textcat_reduce(const TextCatReduce& c) {
  return reduced(c, true);
}

ModelPtr textcat_cnn(const TextCatCnn& c) {
  TextCatReduce settings = c.settings;
  settings.use_reduce_mean = true;
  return reduced(settings, true);
}

ModelPtr textcat_cnn_v1(const TextCatCnnV1& c) {
  TextCatReduce settings = c.settings;
  settings.use_reduce_mean = true;
  return reduced(settings, false);
}

const Registration registered{"spacy.TextCatReduce.v1", textcat_reduce,
                              "labels of documents from pooled token vectors"};
const Registration registered_cnn{"spacy.TextCatCNN.v2", textcat_cnn,
                                  "labels of documents from the mean of the token vectors"};
const Registration registered_cnn_v1{"spacy-legacy.TextCatCNN.v1", textcat_cnn_v1,
                                     "the same, without further labels"};

}  // namespace

}  // namespace weft
