// Span groups as a kind of annotation that components learn.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "framework/pipeline/annotation_kind.h"
#include "framework/text/suggester.h"
#include "registry/base/export.h"

namespace weft {

// Which spans of a document a component can find at all.
struct SpanReach {
  std::string
      description;  // the same for components that can find the same: "spans of 1, 2 tokens"
  // Of each span whether it can be found; empty: not known of this document.
  std::function<std::vector<bool>(const Doc&, std::span<const Span>)> within;
};
// Those that are suggested.
SpanReach reach_of(const Suggester& suggester);
// Those of so many tokens.
WEFT_API SpanReach reach_of_lengths(int least, int most);

// The spans under that key, with or without their labels: one object for all components that learn
// the same, which lives for ever.
WEFT_API const AnnotationKind& span_annotation(const std::string& spans_key, bool labelled,
                                               const SpanReach& reach);

}  // namespace weft
