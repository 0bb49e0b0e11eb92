// The patterns of rulers: token patterns and phrases with a label, and the spans that they find.
// Source: spaCy 3.8, https://spacy.io/api/spanruler; docs/matching.md.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/matching/matcher.h"
#include "framework/matching/phrase_matcher.h"
#include "framework/text/doc.h"
#include "framework/text/span.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

class WEFT_API RulerPatterns {
 public:
  // Of a phrase; `annotated` where more than the tokens' texts is compared.
  using Phrase = std::function<Doc(std::string_view text, bool annotated)>;

  // `strings` gets labels and ids. Throws Error(data) for an attribute that phrases cannot be
  // compared by.
  RulerPatterns(StringStore& strings, const std::string& phrase_attribute, bool validate);

  // An entry of a patterns file: "label", "pattern" (a text or a list of tokens) and perhaps "id".
  // A pattern of another type is passed over. `place` is how messages call the entry. Throws
  // Error(data).
  void add(const Node& entry, const std::string& place, const Phrase& phrase);

  // All entries in the order of adding, a JSON object on each line: as text a million of them take
  // a tenth of the memory.
  const std::string& lines() const { return lines_; }
  std::vector<std::string> labels() const;  // sorted
  // As those of Matcher, with the entries' places.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // The different spans that patterns match, by start, end and the ids of label and id. Throws as
  // Matcher::find.
  std::vector<Span> find(const Doc& doc) const;

 private:
  using Name = std::pair<std::string, std::string>;  // label and id
  void note(std::vector<Span>& spans, std::size_t keys, const Name& name);

  StringStore* strings_;
  Matcher tokens_;
  PhraseMatcher phrases_;
  bool annotated_;
  std::string lines_;
  std::set<std::string> labels_;
  std::vector<std::string> warnings_;
  std::vector<Span> token_names_, phrase_names_;  // label and id by the matchers' keys
};

}  // namespace weft
