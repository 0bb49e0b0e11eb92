#include "framework/text/moved_spans.h"

#include <tuple>
#include <utility>
#include <vector>

namespace weft {

void move_document_annotation(const Doc& from, Doc& to) {
  to.set_strings(from.strings());
  to.set_unknown_spaces(from.has_unknown_spaces());
  to.set_cats(from.cats());
  to.set_user_data(from.user_data());
  SpanGroups groups = from.span_groups();
  for (auto& [_, group] : groups) {
    std::vector<Span> kept;
    for (Span span : group.spans) {
      const auto [first, last] = from.span_chars(span.start, span.end);
      std::tie(span.start, span.end) = to.char_span(first, last);
      if (span.start >= 0) kept.push_back(span);
    }
    group.spans = std::move(kept);
  }
  to.set_span_groups(std::move(groups));
}

}  // namespace weft
