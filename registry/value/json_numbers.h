// The numbers of a JSON text that the JSON library does not take: NaN, infinities, and numbers too
// large for a double, integers of any size among them. They are found before parsing and put back
// after.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/value/config.h"

namespace weft {

struct SpecialNumber {
  std::size_t ordinal;  // which of the document's numbers it is, counted from 0
  Node value;
};

struct PlainJson {
  std::string text;  // with 0 in the place of each special number; empty if there are none
  std::vector<SpecialNumber> specials;
};

// Nothing if the text holds a NUL byte or starts with a byte order mark, which the library would
// take for an end or skip.
std::optional<PlainJson> without_special_numbers(std::string_view text);

// An integer of any size from its digits; text with a point or an exponent gives the double, which
// may be infinite.
Node number_from_text(std::string_view text);

}  // namespace weft
