// Settings and facts that the factories `parser` and `beam_parser` share. spaCy 3.8.
#pragma once

#include <memory>
#include <optional>

#include "framework/parser/dependency_parser.h"
#include "registry/functions/registration.h"

namespace weft {

inline constexpr const char* kParserModel = R"(
[model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "parser"
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

inline constexpr const char* kParserScorer = R"(
[scorer]
@scorers = "spacy.parser_scorer.v1"
)";

struct ParserFactory {
  Node moves;
  int update_with_oracle_cut_size = 100;
  bool learn_tokens = false;
  int min_action_freq = 30;
  ModelPtr model;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, ParserFactory& c) {
  v("moves", c.moves, "null; the classes come from the data",
    Ignored{"the transition system is always the arc-eager one"});
  v("update_with_oracle_cut_size", c.update_with_oracle_cut_size,
    "train documents of this many tokens and more in pieces of about this many moves; 0: whole",
    at_least(0));
  v("learn_tokens", c.learn_tokens,
    "join tokens that the data labels \"subtok\", as parts of one word");
  v("min_action_freq", c.min_action_freq,
    "labels that the data shows less often are learnt as \"dep\"", at_least(0));
  v.block("model", c.model, kParserModel, "the network");
  v.block("scorer", c.scorer, kParserScorer, "how predictions are scored");
}

inline ComponentPtr dependency_parser(const ParserFactory& c, const BeamSettings& beam) {
  return std::make_shared<DependencyParser>(
      DependencyParserSettings{c.model, c.update_with_oracle_cut_size, c.min_action_freq, beam,
                               c.scorer.value_or(Scorer()), c.learn_tokens});
}

inline constexpr const char* kParserFacts = R"({
  "default_score_weights": {"dep_uas": 0.5, "dep_las": 0.5, "dep_las_per_type": null,
                            "sents_p": null, "sents_r": null, "sents_f": 0.0},
  "assigns": ["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
  "starter": {"model": {
    "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "parser",
    "extra_state_tokens": false, "hidden_width": 128, "maxout_pieces": 3, "use_upper": true,
    "nO": null,
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                "width": "${components.tok2vec.model.encode.width}"}
  }}
})";

}  // namespace weft
