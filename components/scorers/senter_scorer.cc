// Scores of sentences. spaCy 3.8, `spacy.senter_scorer.v1`.
#include "components/scorers/score_parts.h"
#include "components/scorers/sentence_scores.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer senter_scorer() {
  return scorer_of({sentence_score_session});
}

const Registration registered{"spacy.senter_scorer.v1", senter_scorer,
                              "precision, recall and F of sentences"};

}  // namespace

}  // namespace weft
