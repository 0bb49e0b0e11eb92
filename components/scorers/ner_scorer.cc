// Scores of named entities. spaCy 3.8, `spacy.ner_scorer.v1`.
#include "components/scorers/entity_scores.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer ner_scorer() {
  return Scorer{score_entities, entity_score_session};
}

const Registration registered{"spacy.ner_scorer.v1", ner_scorer,
                              "precision, recall and F of entities, over all and per type"};

}  // namespace

}  // namespace weft
