// First and last tokens of spans: what a span finder learns them from and how it puts them together
// (docs/spans.md, section 5).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/tensor/view.h"
#include "framework/text/example.h"
#include "framework/text/suggester.h"
#include "registry/base/export.h"

namespace weft {

inline constexpr float kMaskedBound = -1.0F;

// Two numbers for each predicted token: 1 where a span of the reference's group starts with it, or
// ends with it, else 0; kMaskedBound where one starts or ends inside of it. Throws Error(data) with
// the place of the example where the texts of its documents differ.
WEFT_API std::vector<float> span_bounds(const Example& example, const std::string& spans_key);

struct SpanBounds {
  double threshold = 0.5;
  std::optional<int> min_length = {};
  std::optional<int> max_length = {};
};

// All spans from a token that may start one to one that may end one; `scores` (tokens, 2). Throws
// Error(data) where there are more than kMostSuggestions.
WEFT_API std::vector<TokenRange> spans_between(ConstView scores, const SpanBounds& bounds);

}  // namespace weft
