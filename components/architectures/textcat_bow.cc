// spacy.TextCatBOW.v3 and older ones: a linear model of words and word sequences. spaCy 3.8;
// Joulin and others (2016), "Bag of tricks for efficient text classification", is much like it.
#include <bit>
#include <cstdint>
#include <optional>

#include "components/architectures/textcat_parts.h"
#include "components/layers/composition.h"
#include "framework/nn/model_limits.h"
#include "framework/text/symbols.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr std::int64_t kLongest = std::int64_t{1} << 30;
constexpr int kLongestSequence = 64;

struct TextCatBow {
  TextCatBowSettings settings;
};

template <class V>
void common_fields(V& v, TextCatBowSettings& c) {
  v.required("exclusive_classes", c.exclusive_classes, "every document has exactly one label");
  v.required("ngram_size", c.ngram_size, "words of the longest sequence",
             closed_range(1, kLongestSequence));
  v.required("no_output_layer", c.no_output_layer, "scores as they are, no probabilities");
}

template <class V>
void fields(V& v, TextCatBow& c) {
  common_fields(v, c.settings);
  v("nO", c.settings.nO, "number of labels; null: from the data", closed_range(1, kWidest));
}

struct TextCatBowV3 {
  TextCatBowSettings settings;
};

template <class V>
void fields(V& v, TextCatBowV3& c) {
  common_fields(v, c.settings);
  v("length", c.settings.length, "places of each label's weights, rounded up to a power of two",
    closed_range(1, kLongest));
  v("nO", c.settings.nO, "number of labels; null: from the data", closed_range(1, kWidest));
}

ModelPtr make_v3(const TextCatBowV3& c) {
  TextCatBowSettings settings = c.settings;
  settings.length =
      static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(settings.length)));
  return textcat_bow(settings);
}

ModelPtr make_v2(const TextCatBow& c) {
  TextCatBowSettings settings = c.settings;
  settings.indexing = SparseVersion::v1;
  return textcat_bow(settings);
}

ModelPtr make_v1(const TextCatBow& c) {
  TextCatBowSettings settings = c.settings;
  settings.indexing = SparseVersion::v1;
  settings.grows = false;
  return textcat_bow(settings);
}

}  // namespace

ModelPtr textcat_bow(const TextCatBowSettings& c) {
  const ModelPtr sparse = layers::sparse_linear(c.nO, c.length, c.indexing == SparseVersion::v1);
  const ModelPtr features = layers::extract_ngrams(c.ngram_size, static_cast<int>(Attr::orth));
  ModelPtr body =
      layers::with_cpu(layers::chain({features, c.grows ? layers::resizable(sparse) : sparse}));
  if (!c.no_output_layer) {
    body = layers::chain({body, layers::with_cpu(c.exclusive_classes ? layers::softmax_activation()
                                                                     : layers::logistic())});
  }
  // Behind an output layer scores become probabilities.
  if (!c.no_output_layer) sparse->set_new_bias(layers::kImprobable);
  ModelPtr model = with_init(body, initialize_classifier);
  model->set_ref("output_layer", sparse);
  model->set_attr("multi_label", !c.exclusive_classes);
  return model;
}

static const Registration registered{"architectures", "spacy.TextCatBOW.v3", make_v3,
                                     "labels of documents from words and word sequences"};
static const Registration registered_v2{"architectures", "spacy.TextCatBOW.v2", make_v2,
                                        "the same; weights of a word lie side by side"};
static const Registration registered_v1{"architectures", "spacy-legacy.TextCatBOW.v1", make_v1,
                                        "the same as version 2, without further labels"};

}  // namespace weft
