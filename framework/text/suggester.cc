#include "framework/text/suggester.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Lengths `least` to `most`, both included.
struct Lengths {
  int least = 1;
  int most = 0;
};

void require_few(std::size_t count, const Doc& doc) {
  if (count <= kMostSuggestions) return;
  throw Error(ErrorKind::data,
              fmt::format("{} spans of a document of {} tokens are suggested, at most {} can be: "
                          "cut it into shorter ones, or suggest fewer lengths",
                          count, doc.size(), kMostSuggestions));
}

// Of one document and length; none where it is shorter.
std::size_t places(int tokens, int length) {
  return length <= tokens ? static_cast<std::size_t>(tokens - length + 1) : 0;
}

// The number of places falls by one with each longer length: an arithmetic series, summed by its
// first and last term. So too many spans are refused before any is made.
std::size_t count_of(const std::vector<Lengths>& all, int tokens) {
  std::size_t count = 0;
  for (const auto& [least, most] : all) {
    const int last = std::min(most, tokens);
    if (least > last) continue;
    const std::size_t lengths =
        static_cast<std::size_t>(last) - static_cast<std::size_t>(least) + 1;
    count += lengths * (places(tokens, least) + places(tokens, last)) / 2;
  }
  return count;
}

std::vector<TokenRange> suggested(const std::vector<Lengths>& all, const Doc& doc) {
  const std::size_t count = count_of(all, doc.size());
  require_few(count, doc);
  std::vector<TokenRange> spans;
  spans.reserve(count);
  for (const auto& [least, most] : all) {
    for (int length = least; length <= std::min(most, doc.size()); ++length) {
      for (int start = 0; start + length <= doc.size(); ++start) {
        spans.push_back({start, start + length});
      }
    }
  }
  return spans;
}

Suggester of_lengths(std::vector<Lengths> all, std::string description) {
  // Of longer ones a batch is never full.
  constexpr int kLongest = 1000;
  Suggester suggester;
  suggester.spans_per_token = suggester.tokens_per_token = 0;
  for (const auto& [least, most] : all) {
    for (int length = least; length <= std::min(most, kLongest); ++length) {
      suggester.spans_per_token += 1;
      suggester.tokens_per_token += length;
    }
  }
  suggester.description = std::move(description);
  suggester.count = [all](const Doc& doc) {
    const std::size_t count = count_of(all, doc.size());
    return count <= kMostSuggestions ? count : 0;
  };
  suggester.suggest = [all = std::move(all)](const Doc& doc) { return suggested(all, doc); };
  return suggester;
}

std::vector<TokenRange> spans_of_group(const Doc& doc, const std::string& key) {
  const SpanGroup* group = doc.span_group(key);
  if (group == nullptr) {
    throw Error(ErrorKind::data,
                fmt::format("a document has no span group \"{}\", which candidates are taken from: "
                            "put the component that sets it before this one, and for training "
                            "among annotating_components",
                            printable_brief(key)));
  }
  require_few(group->spans.size(), doc);
  std::vector<TokenRange> spans;
  spans.reserve(group->spans.size());
  for (const Span& span : group->spans) spans.push_back({span.start, span.end});
  return spans;
}

}  // namespace

Suggester ngram_suggester(const std::vector<int>& sizes) {
  std::vector<Lengths> all;
  for (const int size : sizes) all.push_back({size, size});
  return of_lengths(std::move(all), fmt::format("spans of {} tokens", fmt::join(sizes, ", ")));
}

Suggester ngram_range_suggester(int least, int most) {
  return of_lengths({{least, most}}, fmt::format("spans of {} to {} tokens", least, most));
}

Suggester preset_spans_suggester(const std::string& spans_key) {
  Suggester suggester;
  suggester.tokens_per_token = 4;
  suggester.description = fmt::format("the spans of \"{}\"", printable_brief(spans_key));
  suggester.count = [spans_key](const Doc& doc) {
    const SpanGroup* group = doc.span_group(spans_key);
    return group == nullptr ? 0 : group->spans.size();
  };
  suggester.suggest = [spans_key](const Doc& doc) { return spans_of_group(doc, spans_key); };
  return suggester;
}

}  // namespace weft
