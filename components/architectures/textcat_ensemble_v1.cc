// spacy-legacy.TextCatEnsemble.v1: a linear model of words beside a network with embeddings of its
// own. spaCy 3.8.
#include <optional>

#include "components/architectures/textcat_parts.h"
#include "components/layers/composition.h"
#include "components/layers/reduce.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct TextCatEnsembleV1 {
  int width = 0;
  int embed_size = 0;
  std::optional<bool> pretrained_vectors;
  bool exclusive_classes = false;
  int ngram_size = 0;
  int window_size = 0;
  int conv_depth = 0;
  std::optional<double> dropout;
  layers::Size nO;
};

template <class V>
void fields(V& v, TextCatEnsembleV1& c) {
  v.required("width", c.width, "width of the vectors", closed_range(2, kWidest));
  v.required("embed_size", c.embed_size, "rows of each table", closed_range(1, kMostRows));
  v.required("pretrained_vectors", c.pretrained_vectors, "use word vectors as well");
  v.required("exclusive_classes", c.exclusive_classes, "every document has exactly one label");
  v.required("ngram_size", c.ngram_size, "words of the longest sequence", closed_range(1, 64));
  v.required("window_size", c.window_size, "neighbours that each layer sees on either side",
             closed_range(0, kWidestWindow));
  v.required("conv_depth", c.conv_depth, "number of window layers", closed_range(1, kDeepest));
  v.required("dropout", c.dropout, "null: tables do not drop; else training sets the rate",
             range(0.0, 1.0));
  v("nO", c.nO, "number of labels; null: from the data", closed_range(1, kWidest));
}

ModelPtr normalized(std::int64_t outputs, std::int64_t inputs) {
  return layers::maxout({.outputs = outputs, .inputs = inputs, .normalize = true});
}

// LOWER, PREFIX, SUFFIX and SHAPE of a word, mixed; once for each different word.
ModelPtr embedding(const TextCatEnsembleV1& c) {
  constexpr std::int64_t kFirstSeed = 10;
  std::vector<ModelPtr> tables;
  for (std::int64_t column = 1; column <= 4; ++column) {
    tables.push_back(layers::hash_embed({.outputs = column == 1 ? c.width : c.width / 2,
                                         .rows = c.embed_size,
                                         .seed = kFirstSeed + column - 1,
                                         .column = column,
                                         .dropout = c.dropout}));
  }
  const ModelPtr columns = layers::concatenate(tables);
  // The reference grows a list of two by the others, and keeps its name.
  columns->set_name(layers::joined_names({tables[0], tables[1]}, "|"));
  const std::int64_t inputs = c.width + 3 * std::int64_t{c.width / 2};
  const ModelPtr words = layers::uniqued(layers::chain({columns, normalized(c.width, inputs)}));
  const ModelPtr features =
      layers::feature_extractor({"ORTH", "LOWER", "PREFIX", "SUFFIX", "SHAPE"});
  ModelPtr own = layers::chain({features, layers::with_array(words)});
  if (!c.pretrained_vectors.value_or(false)) return own;
  return layers::concatenate({own, layers::static_vectors({.outputs = c.width})});
}

ModelPtr token_vectors(const TextCatEnsembleV1& c) {
  const std::int64_t inputs =
      std::int64_t{c.width} * (c.pretrained_vectors.value_or(false) ? 2 : 1);
  const ModelPtr layer = layers::residual(
      layers::chain({layers::expand_window(c.window_size),
                     normalized(c.width, std::int64_t{c.width} * (2 * c.window_size + 1))}));
  const ModelPtr encoder =
      layers::chain({normalized(c.width, inputs), layers::clone(layer, c.conv_depth)});
  return layers::chain({embedding(c), layers::with_array(encoder, c.conv_depth)});
}

ModelPtr network(const TextCatEnsembleV1& c, const ModelPtr& tok2vec) {
  const ModelPtr maxout = layers::maxout({.outputs = c.width, .inputs = c.width});
  return nested_chain({tok2vec, layers::list2ragged(), layers::parametric_attention(c.width),
                       layers::reduce("reduce_sum", Pool::sum), layers::residual(maxout),
                       layers::linear({.outputs = c.nO, .inputs = c.width}),
                       on_documents(layers::dropout(0.0))});
}

ModelPtr output_layer(const TextCatEnsembleV1& c) {
  if (c.exclusive_classes) {
    return layers::softmax({.outputs = c.nO});
  }
  return nested_chain(
      {layers::linear({.outputs = c.nO}), on_documents(layers::dropout(0.0)), layers::logistic()});
}

// Both parts have the labels as their width.
void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  model.part("linear_model").initialize(ctx, input, output, random);
  infer_classes(model.part("network"), output);
  infer_classes(model.part("output"), output);
  layers::initialize_in_sequence(ctx, model, input, output, random);
  set_classes(model, output);
}

ModelPtr textcat_ensemble_v1(const TextCatEnsembleV1& c) {
  const ModelPtr tok2vec = token_vectors(c);
  const ModelPtr linear_model = textcat_bow({.exclusive_classes = c.exclusive_classes,
                                             .ngram_size = c.ngram_size,
                                             .nO = c.nO,
                                             .indexing = SparseVersion::v1,
                                             .grows = false});
  const ModelPtr beside = network(c, tok2vec), output = output_layer(c);
  ModelPtr model =
      with_init(layers::chain({layers::concatenate({linear_model, beside}), output}), initialize);
  model->set_part("linear_model", linear_model);
  model->set_part("network", beside);
  model->set_part("output", output);
  model->set_ref("tok2vec", tok2vec);
  model->set_ref("output_layer", find_ref(*linear_model, "output_layer"));
  model->set_attr("multi_label", !c.exclusive_classes);
  return model;
}

const Registration registered{"spacy-legacy.TextCatEnsemble.v1", textcat_ensemble_v1,
                              "labels of documents from a linear model and a network"};

}  // namespace

}  // namespace weft
