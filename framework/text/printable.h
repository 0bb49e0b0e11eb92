// Text of strangers on a terminal: what could move the cursor, change colours or turn the reading
// direction is shown as an escape.
#pragma once

#include <string>
#include <string_view>

#include "registry/export.h"

namespace weft {

// UTF-8 with control, format, private and unassigned characters as \u{9B}; bytes that are no UTF-8
// as \x{FF}. Line breaks and tabs are controls too.
WEFT_API std::string printable(std::string_view text);

}  // namespace weft
