// The tables of a lemmatizer: what lookups.bin or JSON files say of words, rules and exceptions.
// Source: docs/spacy-formats.md, "vocab/" (lookups.bin); spaCy 3.8.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "framework/text/lookups.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Lemmas by the ids of words; of several the first.
using LemmaLookup = std::unordered_map<StringId, std::string, SeededHash>;

// The tables of one part of speech.
struct LemmaRules {
  std::vector<std::pair<std::string, std::string>> endings;  // old and new
  std::unordered_map<std::string, std::vector<std::string>, SeededHash, std::equal_to<>> exceptions;
  std::unordered_set<std::string, SeededHash, std::equal_to<>> index;  // known lemmas

  bool empty() const { return endings.empty() && exceptions.empty() && index.empty(); }
};

class WEFT_API LemmaTables {
 public:
  // Those of `lookups` that a lemmatizer knows. Throws Error(data) naming a table of another shape,
  // and the file that they are from where it is given.
  static LemmaTables read(const Lookups& lookups, const std::string& file = "");

  // Null where there is no such table.
  const LemmaLookup* lookup(std::string_view table) const;
  // Of a part of speech, by its name in lower case; empty where nothing is known.
  const LemmaRules& rules(std::string_view pos) const;

 private:
  std::unordered_map<std::string, LemmaLookup, SeededHash, std::equal_to<>> lookups_;
  std::unordered_map<StringId, LemmaRules, SeededHash> rules_;
};

}  // namespace weft
