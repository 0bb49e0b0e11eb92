// Scores of the categories of documents. Source: spaCy 3.8, `Scorer.score_cats`;
// docs/text-classification.md, section 5.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/pipeline/scores.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// The component that is scored says which labels count and what is asked of them.
struct CategoryScoring {
  std::vector<std::string> labels = {};
  double threshold = 0.5;                          // of several labels; one label is the best one
  std::optional<std::string> positive_label = {};  // of two: its F is the score
};

// A scorer that a component gives its settings to: the target of `Scorer::score`.
class WEFT_API CategoryScorer {
 public:
  // `several`: a document may have any number of labels, and missing ones are not known.
  explicit CategoryScorer(bool several, CategoryScoring settings = {})
      : several_(several), settings_(std::move(settings)) {}

  // cats_score, cats_score_desc, cats_micro_p ... cats_macro_auc, cats_f_per_type and
  // cats_auc_per_type.
  Scores operator()(std::span<const Example> examples) const;
  ScoreSessionPtr start() const;

  // The same scorer for these settings; one of another kind is left as it is.
  static Scorer configured(const Scorer& scorer, const CategoryScoring& settings);
  static Scorer scorer(bool several, const CategoryScoring& settings = {});

 private:
  bool several_;
  CategoryScoring settings_;
};

}  // namespace weft
