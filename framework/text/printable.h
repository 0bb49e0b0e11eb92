// Text of strangers on a terminal: what could move the cursor, change colours or turn the reading
// direction is shown as an escape.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// How a character that is not shown as it is gets written.
enum class EscapeForm {
  braces,  // \u{9B}, \x{FF} for a byte that is no UTF-8: for people
  json,    // \u009b, surrogates beyond U+FFFF, \ufffd for such a byte: inside strings of JSON
};

// UTF-8 with control, format, private and unassigned characters as \u{9B}; bytes that are no UTF-8
// as \x{FF}. Line breaks and tabs are controls too.
WEFT_API std::string printable(std::string_view text);

// The same for text of several lines: its line feeds and tabs stay.
WEFT_API std::string printable_lines(std::string_view text, EscapeForm form = EscapeForm::braces);

// How many bytes at the end of the text begin a UTF-8 sequence that goes on behind it: 0 to 3.
WEFT_API std::size_t unfinished_bytes(std::string_view text);

// Text of up to `most` bytes as it is; of longer text the beginning, cut between characters, and
// "…".
WEFT_API std::string shortened(std::string_view text, std::size_t most);

// Bytes of a name or a text that a table or a message shows.
inline constexpr std::size_t kLongestQuote = 200;

// A name or a text as it is shown, on one line and of up to kLongestQuote bytes: for cells of
// tables, whose width is that of what is shown, and for quotations in messages.
WEFT_API std::string printable_brief(std::string_view text);

}  // namespace weft
