// The layout of help texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::tools {

// The words of a text in lines of at most `width` characters; a longer word has a line to itself.
std::string wrapped(std::string_view text, std::size_t width);

// The text without blanks at the ends of its lines.
std::string without_trailing_blanks(std::string_view text);

}  // namespace weft::tools
