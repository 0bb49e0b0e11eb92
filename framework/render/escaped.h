// Text of strangers inside of HTML and SVG: nothing of it becomes markup, and nothing of it is
// hidden from the reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Bytes of a label, an id or a word that a drawing shows.
inline constexpr std::size_t kLongestName = 200;

// For the text of elements and for attributes in double or single quotes: & < > " ' as entities.
// Control characters but tab and line feed, characters that turn the reading direction, and those
// that XML does not allow are shown as \u{202E}; bytes that are no UTF-8 as \x{FF}.
WEFT_API std::string markup_text(std::string_view text);

// The same of the first kLongestName bytes, on one line.
WEFT_API std::string markup_name(std::string_view text);

// Bytes of an address's part as %XX, but for letters, digits and - . _ ~ (RFC 3986, section 2.3).
WEFT_API std::string percent_encoded(std::string_view text);

}  // namespace weft
