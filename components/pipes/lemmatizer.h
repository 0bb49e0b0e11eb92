// The settings that the lemmatizers of all languages have.
#pragma once

#include <optional>
#include <string>

#include "framework/pipeline/component.h"
#include "framework/pipeline/scores.h"
#include "registry/functions/fields.h"
#include "registry/value/config.h"

namespace weft {

struct LemmatizerSettings {
  Node model;
  std::string mode = "lookup";
  bool overwrite = false;
  std::optional<Scorer> scorer;
};

inline constexpr const char* kLemmatizerScorer = R"(
[scorer]
@scorers = "spacy.lemmatizer_scorer.v1"
)";
inline constexpr const char* kLemmatizerFacts = R"({
  "default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]
})";

template <class V>
void lemmatizer_fields(V& v, LemmatizerSettings& c) {
  v("model", c.model, "null", Ignored{"lemmas come from tables"});
  v("mode", c.mode, "how the tables are used: lookup, rule or pos_lookup");
  v("overwrite", c.overwrite, "replace lemmas that are set");
  v.block("scorer", c.scorer, kLemmatizerScorer, "how lemmas are scored");
}

ComponentPtr make_lemmatizer(const LemmatizerSettings& settings);

}  // namespace weft
