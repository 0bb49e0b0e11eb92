// The attributes of tokens that a pattern may compare, by the names that patterns use.
// Source: spaCy 3.8, https://spacy.io/api/matcher#patterns.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "framework/text/symbols.h"
#include "registry/base/export.h"

namespace weft {

// The values that a checked pattern may give.
enum class AttributeKind {
  text,    // a string or conditions on one
  number,  // an integer or conditions on one
  flag,    // true or false
  iob,     // "", "I", "O", "B" or 0 to 3
  other,   // comparable, but no part of a checked pattern
};

struct PatternAttribute {
  Attr attr = Attr::orth;
  AttributeKind kind = AttributeKind::other;
};

// ASCII letters in upper case: names in patterns are the same in any case.
WEFT_API std::string upper_name(std::string_view name);

// In any letter case; TEXT is ORTH and IS_SENT_START is SENT_START. Nothing for a name that tokens
// have no attribute of.
WEFT_API std::optional<PatternAttribute> pattern_attribute(std::string_view name);

// "; did you mean LOWER?" where a name of a checked pattern is close, else "".
WEFT_API std::string suggest_attribute(std::string_view name);

// The value follows from the text of the word alone.
WEFT_API bool is_of_word_form(Attr attr);
// A flag that words carry: IS_ALPHA ... IS_CURRENCY.
constexpr bool is_word_flag(Attr attr) {
  return static_cast<std::uint32_t>(attr) <= static_cast<std::uint32_t>(Attr::is_currency);
}

}  // namespace weft
