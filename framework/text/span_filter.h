// Ways to choose among spans that share tokens. Named by `@misc`.
// Source: spaCy 3.8, https://spacy.io/api/spanruler#filters.
#pragma once

#include <functional>
#include <vector>

#include "framework/text/span.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"

namespace weft {

// From the spans that are there and those that are found to those that are kept.
struct SpanFilter {
  std::function<std::vector<Span>(std::vector<Span> base, std::vector<Span> spans)> choose;
};

template <>
struct ProductTraits<SpanFilter> {
  static constexpr std::string_view kind = "misc", name = "span filter";
  static constexpr bool callable = true;
};

// Each of these takes longer spans before shorter ones, and those that start earlier before others.

// Of both together: the ones of which neither end is taken, by their starts.
WEFT_API std::vector<Span> first_longest_spans(std::vector<Span> base, std::vector<Span> spans);
// The found ones that are free, behind those of `base` that none of them overlaps.
WEFT_API std::vector<Span> prioritise_new_spans(std::vector<Span> base, std::vector<Span> spans);
// All of `base`, and behind it the found ones that overlap none of it.
WEFT_API std::vector<Span> prioritise_base_spans(std::vector<Span> base, std::vector<Span> spans);

// By length, the longest first, then by start.
WEFT_API void sort_longest_first(std::vector<Span>& spans);

}  // namespace weft
