// Scores of lemmas. spaCy 3.8, `spacy.lemmatizer_scorer.v1`.
#include "components/scorers/attribute_scores.h"
#include "components/scorers/score_parts.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer lemmatizer_scorer() {
  return scorer_of({[] { return attribute_score_session(Attr::lemma, "lemma_acc"); }});
}

const Registration registered{"spacy.lemmatizer_scorer.v1", lemmatizer_scorer,
                              "share of tokens with the right lemma"};

}  // namespace

}  // namespace weft
