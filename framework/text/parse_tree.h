// What follows from the heads of a dependency parse.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/text/symbols.h"
#include "registry/base/export.h"

namespace weft {

// Sentence starts (1 or -1 per token) as spaCy 3.8 derives them: a sentence begins at the left edge
// of every token that is its own head and has a dependency label. `heads` are relative and stay
// inside; `deps` has one id per token.
WEFT_API std::vector<std::int8_t> sent_starts_of_heads(std::span<const std::int32_t> heads,
                                                       std::span<const StringId> deps);

}  // namespace weft
