// The factory `spancat_singlelabel`: one label at most for each span, against the class of no
// label. spaCy 3.8.
#include <memory>
#include <optional>
#include <string>

#include "components/pipes/span_categorizer.h"
#include "components/pipes/span_defaults.h"
#include "components/pipes/span_settings.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.spancat_scorer.v1"
)";

std::string default_model() {
  return kSpanModel + span_tok2vec("v1") + R"(
[model.scorer]
@layers = "Softmax.v2"
)";
}

struct SpancatSinglelabel {
  Suggester suggester;
  ModelPtr model;
  std::string spans_key = "sc";
  double negative_weight = 1.0;
  bool allow_overlap = true;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, SpancatSinglelabel& c) {
  v.block("suggester", c.suggester, kDefaultSuggester, "says which spans are looked at");
  v.block("model", c.model, default_model(), "the network");
  v("spans_key", c.spans_key, "the key of the group that spans are learnt from and written to");
  v("negative_weight", c.negative_weight, "how much suggested spans without a label count",
    closed_range(kWeights.least, kWeights.most));
  v("allow_overlap", c.allow_overlap,
    "false: of spans that share tokens the one with the highest score is taken");
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
}

ComponentPtr spancat_singlelabel(const SpancatSinglelabel& c) {
  return std::make_shared<SpanCategorizer>(SpanCategorizerSettings{
      .model = c.model,
      .suggester = c.suggester,
      .spans_key = c.spans_key,
      .choice =
          {.threshold = {}, .max_positive = 1, .allow_overlap = c.allow_overlap, .no_label = true},
      .negative_weight = c.negative_weight,
      .scorer = c.scorer.value_or(Scorer())});
}

const Registration registered =
    Registration{"spancat_singlelabel", spancat_singlelabel, "labels of spans, one each"}.meta(
        R"({
  "default_score_weights": {"spans_sc_f": 1.0, "spans_sc_p": 0.0, "spans_sc_r": 0.0},
  "assigns": ["doc.spans"],
  "starter": {
    "model": {
      "@architectures": "spacy.SpanCategorizer.v1",
      "reducer": {"@layers": "spacy.mean_max_reducer.v1", "hidden_size": 128},
      "scorer": {"@layers": "Softmax.v2"},
      "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                  "width": "${components.tok2vec.model.encode.width}"}},
    "suggester": {"@misc": "spacy.ngram_suggester.v1", "sizes": [1, 2, 3]}
  }
})");

}  // namespace

}  // namespace weft
