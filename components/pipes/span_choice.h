// Which spans and labels a span categorizer takes by their scores (docs/spans.md, section 4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/text/doc.h"
#include "framework/text/suggester.h"
#include "registry/base/export.h"

namespace weft {

struct SpanChoice {
  std::optional<double> threshold = 0.5;  // the least score; none: of the best label any score
  std::optional<int> max_positive = {};   // most labels of a span; none: any number
  bool allow_overlap = true;              // only where a span has one label
  bool no_label = false;                  // the last column stands for no label
};

struct ScoredSpan {
  TokenRange range;
  int label = 0;
  float score = 0.0F;
};

// Appends those of one candidate's labels that are taken. `scores`: `columns` numbers.
WEFT_API void choose_labels(const SpanChoice& choice, TokenRange range, const float* scores,
                            int columns, std::vector<ScoredSpan>& chosen);

// The spans of a document in the order in which its group has them: those of the candidates, or
// where spans shall not overlap by their scores, the highest first, without those that share a
// token with one before.
WEFT_API std::vector<ScoredSpan> without_overlaps(const SpanChoice& choice,
                                                  std::vector<ScoredSpan> chosen);

// The attributes of a span group that hold its scores, as spaCy writes them: an array of f32, of
// one number for each span, or (spans, 1) where each has one label.
WEFT_API std::string score_attributes(const SpanChoice& choice,
                                      const std::vector<ScoredSpan>& spans);

}  // namespace weft
