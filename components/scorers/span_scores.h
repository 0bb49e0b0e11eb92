// Scores of span groups. Source: spaCy 3.8, `Scorer.score_spans`; docs/spans.md, section 6.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "framework/pipeline/scores.h"
#include "registry/base/export.h"

namespace weft {

// A scorer of the groups under one key, of documents whose reference has one: the target of
// `Scorer::score`. Spans may overlap; a predicted one counts by the reference tokens of the same
// text.
class WEFT_API SpanScorer {
 public:
  // `labelled`: spans are right only with their label.
  SpanScorer(bool labelled, std::string spans_key)
      : labelled_(labelled), spans_key_(std::move(spans_key)) {}

  // spans_KEY_p, _r and _f; where labels count also spans_KEY_per_type.
  Scores operator()(std::span<const Example> examples) const;
  ScoreSessionPtr start() const;

  static Scorer scorer(bool labelled, const std::string& spans_key);
  // The same scorer for the key of a component; one of another kind is left as it is.
  static Scorer configured(const Scorer& scorer, const std::string& spans_key);

 private:
  bool labelled_;
  std::string spans_key_;
};

}  // namespace weft
