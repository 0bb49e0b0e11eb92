// Which entries of spelling variants are for a token, by its tag and its word: found at once,
// however many entries there are.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "registry/base/seeded_hash.h"

namespace weft {

struct SpellingPlace {
  std::size_t entry;
  std::size_t side;  // of a pair: 0 opens, 1 closes
};

class SpellingPlaces {
 public:
  // One word of an entry under one tag. Entries come in ascending order; of a word that comes twice
  // the last side counts. Throws Error(config) where there are more than the limit
  // (docs/limits.md).
  void add(const std::string& tag, const std::string& word, SpellingPlace place);
  // The first entry from number `from` on for that tag and word; null: none.
  const SpellingPlace* next(const std::string& tag, const std::string& word,
                            std::size_t from) const;

 private:
  using ByWord = std::unordered_map<std::string, std::vector<SpellingPlace>, SeededHash>;
  std::unordered_map<std::string, ByWord, SeededHash> places_;  // by tag; entries ascend
  std::size_t count_ = 0;
};

}  // namespace weft
