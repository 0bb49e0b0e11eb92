// Scores of the spans of a span categorizer. spaCy 3.8, `spacy.spancat_scorer.v1`.
#include "components/scorers/span_scores.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

// The component says which key it is.
Scorer spancat_scorer() {
  return SpanScorer::scorer(true, "sc");
}

const Registration registered{"spacy.spancat_scorer.v1", spancat_scorer,
                              "precision, recall and F of labelled spans, over all and per label"};

}  // namespace
}  // namespace weft
