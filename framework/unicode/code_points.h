// Text as a list of code points, and back.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Of valid UTF-8.
WEFT_API std::u32string code_points_of(std::string_view text);
WEFT_API std::string utf8_of(std::u32string_view text);

}  // namespace weft
