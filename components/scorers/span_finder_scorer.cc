// Scores of the spans of a span finder, which have no label. spaCy 3.8,
// `spacy.span_finder_scorer.v1`.
#include "components/scorers/span_scores.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

// The component says which key it is.
Scorer span_finder_scorer() {
  return SpanScorer::scorer(false, "sc");
}

const Registration registered{"spacy.span_finder_scorer.v1", span_finder_scorer,
                              "precision, recall and F of spans, whatever their labels"};

}  // namespace
}  // namespace weft
