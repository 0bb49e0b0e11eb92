// Scores of a span group. spaCy 3.8, `spacy.overlapping_labeled_spans_scorer.v1`.
#include <string>

#include "components/scorers/span_scores.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::string spans_key = "ruler";
};

template <class V>
void fields(V& v, Settings& c) {
  v("spans_key", c.spans_key, "the group's key");
}

Scorer spans_scorer(const Settings& c) {
  return SpanScorer::scorer(true, c.spans_key);
}

const Registration registered{"spacy.overlapping_labeled_spans_scorer.v1", spans_scorer,
                              "precision, recall and F of a span group, over all and per label"};

}  // namespace
}  // namespace weft
