// Attributes of a word form that follow from its text alone. Source: spaCy 3.8 (docs/tokenizer.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "framework/text/symbols.h"
#include "registry/base/export.h"

namespace weft {

// A set of the yes/no attributes Attr::is_alpha ... Attr::is_currency.
using LexemeFlags = std::uint32_t;
constexpr LexemeFlags flag_bit(Attr attr) {
  return LexemeFlags{1} << static_cast<std::uint32_t>(attr);
}

struct Lexeme {
  StringId orth = 0;
  StringId lower = 0;
  StringId norm = 0;
  StringId shape = 0;
  StringId prefix = 0;
  StringId suffix = 0;
  LexemeFlags flags = 0;
  std::uint32_t length = 0;  // code points

  bool has(Attr flag) const { return (flags & flag_bit(flag)) != 0; }
};

// All of these take valid UTF-8.

// The first code point; the last three, or fewer. Views into `word`.
WEFT_API std::string_view prefix_of(std::string_view word);
WEFT_API std::string_view suffix_of(std::string_view word);
// "Xxxxx", "dd-dd"; "LONG" from 100 code points on.
WEFT_API std::string shape_of(std::string_view word);
// The norm of the base table (quotes, dashes, currency signs); nothing for any other word.
WEFT_API std::optional<std::string_view> find_base_norm(std::string_view word);
// That norm, else the lower case.
WEFT_API std::string base_norm_of(std::string_view word);
// Every yes/no attribute except is_stop, which depends on a list of words. like_num is the one that
// knows no number words.
WEFT_API LexemeFlags flags_of(std::string_view word);

}  // namespace weft
