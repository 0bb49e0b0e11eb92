// The parts of a pattern that stand for one character: escapes and classes.
#pragma once

#include "framework/regex/cursor.h"
#include "framework/regex/syntax.h"

namespace weft {

// Behind a backslash. In a class `\b` is U+0008.
RegexNode parse_escape(RegexCursor& in, bool in_class);

// Behind the opening bracket, up to and with the closing one.
RegexNode parse_class(RegexCursor& in);

}  // namespace weft
