#include "framework/text/cut_span_groups.h"

#include <algorithm>

namespace weft {
namespace {

void add(SpanGroups& groups, const SpanGroups::value_type& from, Span span, int start) {
  span.start -= start;
  span.end -= start;
  if (groups.empty() || groups.back().first != from.first) {
    groups.emplace_back(from.first, SpanGroup{from.second.name, "", {}});
  }
  groups.back().second.spans.push_back(span);
}

}  // namespace

std::vector<SpanGroups> cut_span_groups(const SpanGroups& groups,
                                        std::span<const std::pair<int, int>> pieces) {
  std::vector<SpanGroups> cut(pieces.size());
  for (const SpanGroups::value_type& group : groups) {
    for (const Span& span : group.second.spans) {
      // The first piece that does not end before the span; one without tokens may lie in two.
      auto piece = std::lower_bound(
          pieces.begin(), pieces.end(), span.end,
          [](const std::pair<int, int>& one, int end) { return one.second < end; });
      for (; piece != pieces.end() && piece->first <= span.start; ++piece) {
        add(cut[static_cast<std::size_t>(piece - pieces.begin())], group, span, piece->first);
      }
    }
  }
  return cut;
}

}  // namespace weft
