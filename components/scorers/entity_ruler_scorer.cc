// Scores of the entities that rules find. spaCy 3.8, `spacy.entity_ruler_scorer.v1`.
#include "components/scorers/entity_scores.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Scorer entity_ruler_scorer() {
  return Scorer{score_entities, entity_score_session};
}

const Registration registered{"spacy.entity_ruler_scorer.v1", entity_ruler_scorer,
                              "precision, recall and F of entities, over all and per type"};

}  // namespace
}  // namespace weft
