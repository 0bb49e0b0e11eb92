// The flags of a pattern, `(?ims-x:...)`, and that which a verbose one skips.
#pragma once

#include "framework/regex/cursor.h"

namespace weft {

// Those that hold at a place: they belong to the group in which they are set.
struct RegexFlags {
  bool ignore_case = false, multiline = false, dot_all = false, verbose = false;
};

// All throw Error(data) at the place of the fault.

// Those of the whole pattern, which Python takes at its head alone.
void read_head_flags(RegexCursor& in, RegexFlags& flags);
// "i-s:" behind the "(?" of a group, to the colon.
void read_group_flags(RegexCursor& in, RegexFlags& flags);
// Blanks and comments, of a verbose pattern those without parentheses too.
void skip_blanks_and_comments(RegexCursor& in, const RegexFlags& flags);

}  // namespace weft
