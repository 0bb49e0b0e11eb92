// Scores of documents that have any number of labels. spaCy 3.8,
// `spacy.textcat_multilabel_scorer.v2`.
#include "components/scorers/category_scores.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Scorer textcat_multilabel_scorer() {
  return CategoryScorer::scorer(true);
}

const Registration registered{"spacy.textcat_multilabel_scorer.v2", textcat_multilabel_scorer,
                              "scores of labels that go together, over all and per label"};

}  // namespace

}  // namespace weft
