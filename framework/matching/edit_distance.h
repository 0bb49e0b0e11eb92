// How far two texts are apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Whether so many insertions, deletions and substitutions of code points make one text of the other
// (Levenshtein; a transposition counts as two).
WEFT_API bool within_edits(std::u32string_view a, std::u32string_view b, std::size_t most);

// How long that takes at most, in steps of some ten nanoseconds (framework/regex/match_budget.h).
WEFT_API std::uint64_t edit_steps(std::size_t a, std::size_t b);

}  // namespace weft
