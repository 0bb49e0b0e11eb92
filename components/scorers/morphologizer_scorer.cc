// Scores of parts of speech and features. spaCy 3.8, `spacy.morphologizer_scorer.v1`.
#include "components/scorers/attribute_scores.h"
#include "components/scorers/score_parts.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer morphologizer_scorer() {
  return scorer_of({[] { return attribute_score_session(Attr::pos, "pos_acc"); },
                    [] { return attribute_score_session(Attr::morph, "morph_acc"); },
                    feature_score_session});
}

const Registration registered{
    "spacy.morphologizer_scorer.v1", morphologizer_scorer,
    "share of tokens with the right part of speech and features, and of features"};

}  // namespace

}  // namespace weft
