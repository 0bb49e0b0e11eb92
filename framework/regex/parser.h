// Reads a pattern in the syntax of Python 3.11's `re` (str patterns).
#pragma once

#include <string_view>

#include "framework/regex/syntax.h"
#include "registry/base/export.h"

namespace weft {

// `pattern` is UTF-8. Flags at the head, `(?iu)`, and scoped ones, `(?i:…)`, are honoured: i, m, s,
// x and u; `a` and `L` are refused, as are conditionals and named characters. Groups may nest 200
// deep. Throws Error(data) that says what is wrong and at which character.
WEFT_API RegexNode parse_regex(std::string_view pattern);

}  // namespace weft
