// Scores of dependency parses and of the sentences that follow from them. spaCy 3.8,
// `spacy.parser_scorer.v1`.
#include "components/scorers/dependency_scores.h"
#include "components/scorers/score_parts.h"
#include "components/scorers/sentence_scores.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer parser_scorer() {
  return scorer_of({sentence_score_session, dependency_score_session});
}

const Registration registered{"spacy.parser_scorer.v1", parser_scorer,
                              "scores of heads, labels and sentences"};

}  // namespace

}  // namespace weft
