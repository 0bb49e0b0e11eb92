// Scores of documents that have one label each. spaCy 3.8, `spacy.textcat_scorer.v2`.
#include "components/scorers/category_scores.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer textcat_scorer() {
  return CategoryScorer::scorer(false);
}

const Registration registered{"spacy.textcat_scorer.v2", textcat_scorer,
                              "scores of labels that exclude each other, over all and per label"};

}  // namespace

}  // namespace weft
