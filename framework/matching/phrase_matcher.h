// Finds many phrases at once, by one attribute of their tokens.
//
//   weft::PhraseMatcher matcher;
//   matcher.add("CITY", nlp->make_doc("New York"));
//   for (const weft::PhraseMatch& match : matcher.find(doc)) ...
//
// Source: spaCy 3.8, https://spacy.io/api/phrasematcher; docs/matching.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "framework/matching/phrase_trie.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

struct PhraseMatch {
  std::uint32_t key = 0;   // number of the key, in the order of first adding
  int start = 0, end = 0;  // tokens of the document
  bool operator==(const PhraseMatch&) const = default;
};

// With all its phrases it may be used by any number of threads at once.
class WEFT_API PhraseMatcher {
 public:
  // "ORTH", "LOWER" or another attribute that token patterns have. Throws Error(data) for a name
  // that is none.
  explicit PhraseMatcher(std::string_view attribute = "ORTH");

  Attr attribute() const { return attr_; }
  // A phrase without tokens is left out. Throws Error(data) where the attribute is annotation that
  // the phrase has not.
  void add(const std::string& key, const Doc& phrase) { add(key, phrase, {0, phrase.size()}); }
  // Tokens [first, second) as the phrase.
  void add(const std::string& key, const Doc& phrase, std::pair<int, int> tokens);

  // By start, then by end; all of them, overlapping or not. Within `tokens` only, if given. Throws
  // Error(data) where that takes too many steps (docs/limits.md).
  std::vector<PhraseMatch> find(const Doc& doc,
                                std::optional<std::pair<int, int>> tokens = {}) const;

  const std::vector<std::string>& keys() const { return keys_; }  // by PhraseMatch::key
  std::size_t bytes() const { return trie_.bytes(); }             // of the phrases

 private:
  void check_annotation(const Doc& phrase) const;

  Attr attr_;
  PhraseTrie trie_;
  std::vector<std::string> keys_;
  std::unordered_map<std::string, std::uint32_t, SeededHash> numbers_;
};

}  // namespace weft
