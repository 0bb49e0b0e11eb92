// Norms of words by rules of their language, where it has any.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Source: docs/tokenizer.md, "Norms".
struct WEFT_API WordNorms {
  std::unordered_map<std::string, std::string> words;
  // Endings that a word loses, in the order in which the groups are tried. With an ending of a
  // group a word loses as many code points as the first one of that group has.
  std::vector<std::vector<std::string>> endings;
  // A word of no more code points than that is too short for a group. Whether it stays as it is
  // then, or is tried with the next group.
  bool short_words_stay = false;

  bool empty() const { return words.empty() && endings.empty(); }
  // Of valid UTF-8: the base norm (lexeme.h); else where there are endings the word without one, in
  // the case that it has, and where there are none the norm among `words`, or the lower case.
  std::string norm_of(std::string_view word) const;
};

}  // namespace weft
