// Code points of UTF-8 text and the questions that lexical attributes ask about them, with the
// answers of Unicode 14 as Python 3.11 gives them, whatever version the system's library has.
// Unless said otherwise, functions on text want valid UTF-8: check it once with
// `find_invalid_utf8`, which registry/base/unicode.h has with all that reading configs needs too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/base/unicode.h"

namespace weft {

// True if every byte is below 0x80. Takes any bytes.
WEFT_API bool is_ascii(std::string_view text);

// The code point that starts at byte `pos`, which moves behind it.
inline char32_t next_code_point(std::string_view text, std::size_t& pos) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  const auto tail = [&](std::size_t i) { return byte(i) & 0x3F; };
  const char32_t first = byte(pos);
  if (first < 0x80) return ++pos, first;
  if (first < 0xE0) return pos += 2, (first & 0x1F) << 6 | tail(pos - 1);
  if (first < 0xF0) {
    return pos += 3, (first & 0x0F) << 12 | tail(pos - 2) << 6 | tail(pos - 1);
  }
  return pos += 4, (first & 0x07) << 18 | tail(pos - 3) << 12 | tail(pos - 2) << 6 | tail(pos - 1);
}

// The code point that ends before byte `pos`, which moves to its start.
inline char32_t previous_code_point(std::string_view text, std::size_t& pos) {
  do --pos;
  while ((static_cast<unsigned char>(text[pos]) & 0xC0) == 0x80);
  std::size_t start = pos;
  return next_code_point(text, start);
}

// The byte offset of code point number `index`; the text's size if it has no more than that many.
WEFT_API std::size_t byte_offset(std::string_view text, std::size_t index);
WEFT_API void append_utf8(std::string& text, char32_t code_point);

WEFT_API bool is_alpha(char32_t code_point);  // str.isalpha
WEFT_API bool is_digit(char32_t code_point);  // str.isdigit: decimal digits and the like of ²
WEFT_API bool is_upper(char32_t code_point);  // derived property Uppercase
WEFT_API bool is_lower(char32_t code_point);  // derived property Lowercase
WEFT_API bool is_title(char32_t code_point);  // category Lt
WEFT_API bool is_punctuation(char32_t code_point);     // categories P*
WEFT_API bool is_currency_sign(char32_t code_point);   // category Sc
WEFT_API bool is_case_ignorable(char32_t code_point);  // of the final sigma rule
WEFT_API char32_t simple_lower(char32_t code_point);   // one to one; U+0130 gives 'i'

// The whole text in lower case as str.lower: full mapping, final sigma included.
WEFT_API std::string lower(std::string_view text);

// Non-empty and all white space.
WEFT_API bool is_space(std::string_view text);

}  // namespace weft
