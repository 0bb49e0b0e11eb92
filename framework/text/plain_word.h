// Words of ASCII letters only, which most are: their attributes in one pass.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "framework/text/lexeme.h"

namespace weft {

struct PlainWord {
  std::string lower;
  std::string shape;
  LexemeFlags flags = 0;  // as flags_of gives them
};

// Nothing where the word is empty, has other characters or is so long that its shape is "LONG". No
// such word has a base norm other than its lower case.
WEFT_API std::optional<PlainWord> plain_word_of(std::string_view word);

}  // namespace weft
