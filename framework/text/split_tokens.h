// Long tokens in pieces of equal length.
#pragma once

#include <cstddef>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Cuts every token of `min_length` characters and more into pieces of `piece` characters; the last
// one has the rest. Pieces are their own heads and, where the token had a lemma, their own lemmas;
// other annotation they have from the token. Nothing happens where either number is 0.
WEFT_API void split_tokens(Doc& doc, std::size_t min_length, std::size_t piece);

}  // namespace weft
