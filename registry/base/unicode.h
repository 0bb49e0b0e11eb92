// The few questions about UTF-8 text that reading configs asks. Source: docs/config.md, "Lines".
#pragma once

#include <cstddef>
#include <string_view>

namespace weft {

// One code point and the number of bytes it takes.
struct CodePoint {
  char32_t value;
  std::size_t length;
};

// The code point at the start of `text`, which is not empty. A byte that starts no valid UTF-8
// gives {0xFFFFFFFF, 1}.
CodePoint first_code_point(std::string_view text);

// The offset of the first byte that is not part of valid UTF-8; npos if there is none.
std::size_t find_invalid_utf8(std::string_view text);

// Unicode white space as Python's str.isspace sees it, the information separators included.
bool is_blank(char32_t code_point);

// The code points of blanks that `text` starts with: how many, and their length in bytes.
struct Blanks {
  std::size_t count;
  std::size_t bytes;
};
Blanks leading_blanks(std::string_view text);

// Without blanks on both sides, or on the right only.
std::string_view strip(std::string_view text);
std::string_view strip_right(std::string_view text);

// The number of code points of valid UTF-8.
std::size_t count_code_points(std::string_view text);

}  // namespace weft
