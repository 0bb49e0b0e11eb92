// Functions that say which stretches of a document a span categorizer looks at. Named by `@misc`.
// Source: spaCy 3.8, https://spacy.io/api/spancategorizer#suggesters; docs/spans.md, section 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"

namespace weft {

// Tokens [start, end) of a document.
struct TokenRange {
  int start = 0;
  int end = 0;
  bool operator==(const TokenRange&) const = default;
};

// Of one document: their memory grows with their number, however long the document is.
constexpr std::size_t kMostSuggestions = std::size_t{1} << 20;

struct Suggester {
  // The spans of a document; their order and repetitions count. Throws Error(data) where there are
  // more than kMostSuggestions, or where the document lacks what they are taken from.
  std::function<std::vector<TokenRange>(const Doc&)> suggest;
  // How many they are; 0 where `suggest` throws.
  std::function<std::size_t(const Doc&)> count;
  // For estimates: suggested spans of a long document for each of its tokens, and their tokens.
  double spans_per_token = 1.0;
  double tokens_per_token = 1.0;
  // For messages, and the same for suggesters that suggest the same: "spans of 1, 2 or 3 tokens".
  std::string description;
};

template <>
struct ProductTraits<Suggester> {
  static constexpr std::string_view kind = "misc", name = "suggester";
  static constexpr bool callable = true;
};

// All spans of those lengths, one length after the other. Every size is 1 at least.
WEFT_API Suggester ngram_suggester(const std::vector<int>& sizes);
// The same for the lengths from `least` to `most`; none where `least` is larger.
WEFT_API Suggester ngram_range_suggester(int least, int most);
// The spans of a group that the document has by then.
WEFT_API Suggester preset_spans_suggester(const std::string& spans_key);

}  // namespace weft
