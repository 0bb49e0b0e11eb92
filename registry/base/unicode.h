// UTF-8 text: whether it is valid, its code points and its white space. Categories and cases of
// code points are in framework/unicode/. Source: docs/config.md, "Lines".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// One code point and the number of bytes it takes.
struct CodePoint {
  char32_t value;
  std::size_t length;
};

// The code point at the start of `text`, which is not empty. A byte that starts no valid UTF-8
// gives {0xFFFFFFFF, 1}.
CodePoint first_code_point(std::string_view text);

// The offset of the first byte that does not belong to valid UTF-8 (overlong forms, surrogates and
// values above U+10FFFF are invalid), or nothing. Takes any bytes.
WEFT_API std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// Unicode white space as Python's str.isspace sees it, the information separators included.
inline bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

// The code points of blanks that `text` starts with: how many, and their length in bytes.
struct Blanks {
  std::size_t count;
  std::size_t bytes;
};
Blanks leading_blanks(std::string_view text);

// Without blanks on both sides, or on the right only. Take any bytes.
WEFT_API std::string_view strip(std::string_view text);
std::string_view strip_right(std::string_view text);

// The number of code points of valid UTF-8.
WEFT_API std::size_t count_code_points(std::string_view text);

}  // namespace weft
