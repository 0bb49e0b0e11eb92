// The factory `textcat`: labels of documents, of which each has exactly one. spaCy 3.8.
#include <memory>
#include <optional>

#include "components/pipes/text_categorizer.h"
#include "components/pipes/text_categorizer_defaults.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.textcat_scorer.v2"
)";

struct Textcat {
  ModelPtr model;
  double threshold = 0.0;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, Textcat& c) {
  v.block("model", c.model, default_text_classifier(true), "the network");
  v("threshold", c.threshold, "kept for the file; of several labels the best one counts",
    closed_range(0.0, 1.0));
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
}

ComponentPtr textcat(const Textcat& c) {
  return std::make_shared<TextCategorizer>(
      TextCategorizerSettings{c.model, true, c.threshold, c.scorer.value_or(Scorer())});
}

const Registration registered =
    Registration{"textcat", textcat, "labels of documents, one each"}.meta(
        text_classifier_facts(true));

}  // namespace

}  // namespace weft
