// Values on the command line, which are read a little differently from those of a file.
// Source: docs/config.md, "Overrides".
#pragma once

#include <string_view>

#include "registry/value/config.h"

namespace weft {

// JSON with looser numbers (`01`, `1.`, `-.5`) and raw control characters in quotes, but without
// NaN, Infinity and integers beyond 64 bits; any other text is a string.
Node override_value(std::string_view text);

}  // namespace weft
