// The factory `textcat_multilabel`: labels of documents, any number of each. spaCy 3.8.
#include <memory>
#include <optional>

#include "components/pipes/text_categorizer.h"
#include "components/pipes/text_categorizer_defaults.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.textcat_multilabel_scorer.v2"
)";

struct TextcatMultilabel {
  ModelPtr model;
  double threshold = 0.5;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, TextcatMultilabel& c) {
  v.block("model", c.model, default_text_classifier(false), "the network");
  v("threshold", c.threshold, "a label counts as found from this score on", closed_range(0.0, 1.0));
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
}

ComponentPtr textcat_multilabel(const TextcatMultilabel& c) {
  return std::make_shared<TextCategorizer>(
      TextCategorizerSettings{c.model, false, c.threshold, c.scorer.value_or(Scorer())});
}

const Registration registered = Registration{"textcat_multilabel", textcat_multilabel,
                                             "labels of documents, any number of each"}
                                    .meta(text_classifier_facts(false));

}  // namespace

}  // namespace weft
