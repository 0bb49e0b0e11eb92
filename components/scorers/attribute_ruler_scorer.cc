// Scores of what an attribute ruler sets. spaCy 3.8, `spacy.attribute_ruler_scorer.v1`.
#include "components/scorers/attribute_scores.h"
#include "components/scorers/score_parts.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer attribute_ruler_scorer() {
  return scorer_of({[] { return attribute_score_session(Attr::tag, "tag_acc"); },
                    [] { return attribute_score_session(Attr::pos, "pos_acc"); },
                    [] { return attribute_score_session(Attr::morph, "morph_acc"); },
                    feature_score_session,
                    [] { return attribute_score_session(Attr::lemma, "lemma_acc"); }});
}

const Registration registered{
    "spacy.attribute_ruler_scorer.v1", attribute_ruler_scorer,
    "share of tokens with the right tag, part of speech, features and lemma"};

}  // namespace

}  // namespace weft
