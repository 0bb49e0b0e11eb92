#include "components/pipes/span_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "framework/io/msgpack_array.h"
#include "framework/io/msgpack_writer.h"
#include "framework/tensor/highest.h"
#include "framework/text/taken_tokens.h"

namespace weft {

namespace {

bool one_label(const SpanChoice& choice) {
  return choice.max_positive == 1;
}

// Scores are compared as f32.
bool is_high(const SpanChoice& choice, float score) {
  return !choice.threshold || score >= static_cast<float>(*choice.threshold);
}

// The labels that are kept where at most `most` may be, in the order of their columns: the highest,
// of equal ones the earlier. `high` are columns in their order. One that is no number goes first.
void keep_highest(std::vector<int>& high, const float* scores, int most) {
  const auto score_of = [scores](int label) {
    return std::isnan(scores[label]) ? std::numeric_limits<float>::infinity() : scores[label];
  };
  const auto last = high.begin() + most;
  std::nth_element(high.begin(), last, high.end(), [&](int a, int b) {
    return score_of(a) != score_of(b) ? score_of(a) > score_of(b) : a < b;
  });
  high.erase(last, high.end());
  std::sort(high.begin(), high.end());
}

// One label for each span: the class of no label takes part in the contest, so that a span can get
// none.
void choose_best(const SpanChoice& choice, TokenRange range, const float* scores, int columns,
                 std::vector<ScoredSpan>& chosen) {
  const int best = static_cast<int>(first_highest({scores, static_cast<std::size_t>(columns)}));
  if (choice.no_label && best == columns - 1) return;
  if (is_high(choice, scores[best])) chosen.push_back({range, best, scores[best]});
}

}  // namespace

void choose_labels(const SpanChoice& choice, TokenRange range, const float* scores, int columns,
                   std::vector<ScoredSpan>& chosen) {
  if (one_label(choice)) return choose_best(choice, range, scores, columns, chosen);
  const int labels = columns - (choice.no_label ? 1 : 0);
  std::vector<int> high;
  for (int label = 0; label < labels; ++label) {
    if (is_high(choice, scores[label])) high.push_back(label);
  }
  if (choice.max_positive && std::ssize(high) > *choice.max_positive) {
    keep_highest(high, scores, std::max(*choice.max_positive, 0));
  }
  for (const int label : high) chosen.push_back({range, label, scores[label]});
}

std::vector<ScoredSpan> without_overlaps(const SpanChoice& choice, std::vector<ScoredSpan> chosen) {
  if (choice.allow_overlap || !one_label(choice)) return chosen;
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const ScoredSpan& a, const ScoredSpan& b) { return a.score > b.score; });
  TakenTokens taken;
  std::vector<ScoredSpan> kept;
  for (const ScoredSpan& span : chosen) {
    const Span tokens{span.range.start, span.range.end};
    if (taken.anywhere(tokens)) continue;
    taken.take(tokens);
    kept.push_back(span);
  }
  return kept;
}

// A vector of scores, or a column where each span has one label at most.
std::string score_attributes(const SpanChoice& choice, const std::vector<ScoredSpan>& spans) {
  std::vector<float> scores;
  scores.reserve(spans.size());
  for (const ScoredSpan& span : spans) scores.push_back(span.score);
  MsgpackWriter out;
  out.map(1);
  out.str("scores");
  std::vector<std::int64_t> shape = {std::ssize(spans)};
  if (one_label(choice) && !spans.empty()) shape.push_back(1);
  const std::string_view bytes(reinterpret_cast<const char*>(scores.data()),
                               scores.size() * sizeof(float));
  begin_array(out, "<f4", shape, bytes.size());
  out.packed(bytes);
  return out.take();
}

}  // namespace weft
