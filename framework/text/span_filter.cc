#include "framework/text/span_filter.h"

#include <algorithm>
#include <tuple>

#include "framework/text/taken_tokens.h"

namespace weft {

void sort_longest_first(std::vector<Span>& spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return std::tuple(b.end - b.start, a.start) < std::tuple(a.end - a.start, b.start);
  });
}

std::vector<Span> first_longest_spans(std::vector<Span> base, std::vector<Span> spans) {
  base.insert(base.end(), spans.begin(), spans.end());
  sort_longest_first(base);
  TakenTokens taken;
  std::vector<Span> kept;
  for (const Span& span : base) {
    if (span.start >= span.end || taken.at_an_end(span)) continue;
    taken.take(span);
    kept.push_back(span);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Span& a, const Span& b) { return a.start < b.start; });
  return kept;
}

std::vector<Span> prioritise_new_spans(std::vector<Span> base, std::vector<Span> spans) {
  sort_longest_first(spans);
  TakenTokens taken;
  std::vector<Span> kept;
  for (const Span& span : spans) {
    if (span.start >= span.end || taken.anywhere(span)) continue;
    taken.take(span);
    kept.push_back(span);
  }
  std::erase_if(base, [&](const Span& span) { return taken.anywhere(span); });
  base.insert(base.end(), kept.begin(), kept.end());
  return base;
}

std::vector<Span> prioritise_base_spans(std::vector<Span> base, std::vector<Span> spans) {
  sort_longest_first(spans);
  TakenTokens taken;
  for (const Span& span : base) taken.take(span);
  for (const Span& span : spans) {
    if (span.start >= span.end || taken.anywhere(span)) continue;
    taken.take(span);
    base.push_back(span);
  }
  return base;
}

}  // namespace weft
