// The factory `spancat`: labels of spans, any number of each. spaCy 3.8.
#include <memory>
#include <optional>
#include <string>

#include "components/pipes/span_categorizer.h"
#include "components/pipes/span_defaults.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.spancat_scorer.v1"
)";

std::string default_model() {
  return kSpanModel + span_tok2vec("v2") + R"(
[model.scorer]
@layers = "spacy.LinearLogistic.v1"
)";
}

struct Spancat {
  Suggester suggester;
  ModelPtr model;
  std::string spans_key = "sc";
  std::optional<Scorer> scorer;
  double threshold = 0.5;
  std::optional<int> max_positive;
};

template <class V>
void fields(V& v, Spancat& c) {
  v.block("suggester", c.suggester, kDefaultSuggester, "says which spans are looked at");
  v.block("model", c.model, default_model(), "the network");
  v("spans_key", c.spans_key, "the key of the group that spans are learnt from and written to");
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
  v("threshold", c.threshold, "a span has a label from this score on", closed_range(0.0, 1.0));
  v("max_positive", c.max_positive, "most labels of a span; null: any number", at_least(1));
}

ComponentPtr spancat(const Spancat& c) {
  return std::make_shared<SpanCategorizer>(
      SpanCategorizerSettings{.model = c.model,
                              .suggester = c.suggester,
                              .spans_key = c.spans_key,
                              .choice = {.threshold = c.threshold, .max_positive = c.max_positive},
                              .scorer = c.scorer.value_or(Scorer())});
}

const Registration registered =
    Registration{"spancat", spancat, "labels of spans, which may overlap"}.meta(
        R"({
  "default_score_weights": {"spans_sc_f": 1.0, "spans_sc_p": 0.0, "spans_sc_r": 0.0},
  "assigns": ["doc.spans"],
  "starter": {
    "model": {
      "@architectures": "spacy.SpanCategorizer.v1",
      "reducer": {"@layers": "spacy.mean_max_reducer.v1", "hidden_size": 128},
      "scorer": {"@layers": "spacy.LinearLogistic.v1", "nO": null, "nI": null},
      "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                  "width": "${components.tok2vec.model.encode.width}"}},
    "suggester": {"@misc": "spacy.ngram_suggester.v1", "sizes": [1, 2, 3]}
  }
})");

}  // namespace

}  // namespace weft
