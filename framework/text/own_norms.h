// Norms of single tokens, other than those of their words, and spaces behind them.
#pragma once

#include <span>
#include <utility>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Gives tokens, by their numbers, norms whose texts are known to the vocabulary. All else of the
// document stays; of several norms for one token the last holds.
WEFT_API void set_norms(Doc& doc, std::span<const std::pair<int, StringId>> norms);

// Says of tokens, by their numbers, whether a space follows; the text changes with it. As above.
WEFT_API void set_spaces(Doc& doc, std::span<const std::pair<int, bool>> spaces);

}  // namespace weft
