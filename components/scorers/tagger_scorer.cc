// Scores of tags. spaCy 3.8, `spacy.tagger_scorer.v1`.
#include "components/scorers/attribute_scores.h"
#include "components/scorers/score_parts.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer tagger_scorer() {
  return scorer_of({[] { return attribute_score_session(Attr::tag, "tag_acc"); }});
}

const Registration registered{"spacy.tagger_scorer.v1", tagger_scorer,
                              "share of tokens with the right tag"};

}  // namespace

}  // namespace weft
