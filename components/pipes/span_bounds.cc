#include "components/pipes/span_bounds.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "framework/text/token_table.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// The token that holds a character of the text, or the space in front of which it stands.
int token_at(const TokenTable& tokens, std::size_t character) {
  std::size_t first = 0, count = tokens.size();
  while (count > 1) {
    const std::size_t half = count / 2;
    if (tokens.char_start(first + half) <= character) {
      first += half;
      count -= half;
    } else {
      count = half;
    }
  }
  return static_cast<int>(first);
}

void mark(bool exact, float& bound) {
  if (bound == kMaskedBound) return;
  bound = exact ? 1.0F : kMaskedBound;
}

void mark_span(const TokenTable& tokens, std::size_t start, std::size_t end,
               std::vector<float>& bounds) {
  int first = token_at(tokens, start);
  const int last = token_at(tokens, end - 1);
  // The space behind a token is no part of it.
  if (start == tokens.char_end(static_cast<std::size_t>(first))) ++first;
  if (first > last) return;
  const auto begin = static_cast<std::size_t>(first), back = static_cast<std::size_t>(last);
  mark(tokens.char_start(begin) == start, bounds[2 * begin]);
  mark(tokens.char_end(back) == end, bounds[2 * back + 1]);
}

}  // namespace

std::vector<float> span_bounds(const Example& example, const std::string& spans_key) {
  const Doc &predicted = example.predicted(), &reference = example.reference();
  if (predicted.text() != reference.text()) {
    throw Error(ErrorKind::data,
                example.place().before("the text differs from the annotated one; a span finder "
                                       "needs the same"));
  }
  std::vector<float> bounds(2 * static_cast<std::size_t>(predicted.size()), 0.0F);
  const SpanGroup* group = reference.span_group(spans_key);
  if (group == nullptr) return bounds;
  const TokenTable& own = *reference.tokens();
  for (const Span& span : group->spans) {
    if (span.start >= span.end) continue;
    mark_span(*predicted.tokens(), own.char_start(static_cast<std::size_t>(span.start)),
              own.char_end(static_cast<std::size_t>(span.end) - 1), bounds);
  }
  return bounds;
}

std::vector<TokenRange> spans_between(ConstView scores, const SpanBounds& bounds) {
  const auto threshold = static_cast<float>(bounds.threshold);
  const std::int64_t least = bounds.min_length.value_or(1);
  const std::int64_t most = bounds.max_length.value_or(std::numeric_limits<int>::max());
  std::vector<std::int64_t> ends;
  for (std::int64_t i = 0; i < scores.rows(); ++i) {
    if (scores.row<float>(i)[1] >= threshold) ends.push_back(i);
  }
  std::vector<TokenRange> spans;
  for (std::int64_t start = 0; start < scores.rows(); ++start) {
    if (!(scores.row<float>(start)[0] >= threshold)) continue;
    auto end = std::lower_bound(ends.begin(), ends.end(), start + least - 1);
    for (; end != ends.end() && *end + 1 - start <= most; ++end) {
      spans.push_back({static_cast<int>(start), static_cast<int>(*end + 1)});
    }
    if (spans.size() <= kMostSuggestions) continue;
    throw Error(ErrorKind::data,
                fmt::format("more than {} spans start and end in a document of {} tokens: set a "
                            "smaller max_length, or a higher threshold",
                            kMostSuggestions, scores.rows()));
  }
  return spans;
}

}  // namespace weft
