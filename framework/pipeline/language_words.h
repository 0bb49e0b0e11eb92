// Words of a language that token attributes know: those of IS_STOP and LIKE_NUM, and norms.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "framework/text/word_norms.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"

namespace weft {

class Catalogue;
class Vocab;

struct LanguageWords {
  // In lower case; among the numbers stand rules as well (framework/text/number_words.h).
  std::unordered_set<std::string> stop, numbers;
  WordNorms norms = {};
};

template <>
struct ProductTraits<LanguageWords> {
  static constexpr std::string_view kind = "misc", name = "words";
};

// The words of a language (its code) that `weft.language_words.v1` of the catalogue knows; none
// where the catalogue has no such function.
WEFT_API LanguageWords language_words(const std::string& lang, const Catalogue& catalogue);

// Gives the vocabulary the words of its language; leaves it as it is where the catalogue knows
// none.
WEFT_API void set_language_words(Vocab& vocab, const Catalogue& catalogue);

}  // namespace weft
