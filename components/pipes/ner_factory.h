// Settings and facts that the factories `ner` and `beam_ner` share. spaCy 3.8.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "framework/parser/entity_recognizer.h"
#include "registry/functions/registration.h"

namespace weft {

inline constexpr const char* kNerModel = R"(
[model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "ner"
extra_state_tokens = false
hidden_width = 64
maxout_pieces = 2
use_upper = true

[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 96
depth = 4
embed_size = 2000
window_size = 1
maxout_pieces = 3
subword_features = true
)";

inline constexpr const char* kNerScorer = R"(
[scorer]
@scorers = "spacy.ner_scorer.v1"
)";

struct NerFactory {
  Node moves;
  int update_with_oracle_cut_size = 100;
  ModelPtr model;
  std::optional<std::string> incorrect_spans_key;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, NerFactory& c) {
  v("moves", c.moves, "null; the classes come from the data",
    Ignored{"the transition system is always that of entities"});
  v("update_with_oracle_cut_size", c.update_with_oracle_cut_size,
    "train documents of this many tokens and more in pieces of about this size; 0: whole",
    at_least(0));
  v.block("model", c.model, kNerModel, "the network");
  v("incorrect_spans_key", c.incorrect_spans_key,
    "span group that holds spans which are known not to be entities");
  v.block("scorer", c.scorer, kNerScorer, "how predictions are scored");
}

inline ComponentPtr entity_recognizer(const NerFactory& c, const BeamSettings& beam) {
  return std::make_shared<EntityRecognizer>(
      EntityRecognizerSettings{c.model, c.update_with_oracle_cut_size, c.incorrect_spans_key, beam,
                               c.scorer.value_or(Scorer())});
}

inline constexpr const char* kNerFacts = R"({
  "default_score_weights": {"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": null},
  "assigns": ["doc.ents", "token.ent_iob", "token.ent_type"],
  "starter": {"model": {
    "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "ner",
    "extra_state_tokens": false, "hidden_width": 64, "maxout_pieces": 2, "use_upper": true,
    "nO": null,
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                "width": "${components.tok2vec.model.encode.width}"}
  }}
})";

}  // namespace weft
