// How far two texts are apart.
#pragma once

#include <cstddef>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Whether so many insertions, deletions and substitutions of code points make one text of the other
// (Levenshtein; a transposition counts as two). Takes time by the length times `most`.
WEFT_API bool within_edits(std::u32string_view a, std::u32string_view b, std::size_t most);

}  // namespace weft
