// Lays one config over another. Source: docs/config.md, "Filling".
#pragma once

#include "registry/value/config.h"

namespace weft {

// `updates` over `defaults`: objects recursively, everything else replaced; keys of the updates
// first, then what the defaults add; function blocks of different functions are not mixed. With
// `remove_extra` keys that the defaults lack are dropped, except inside a foreign function block.
WEFT_API Config merge(const Config& defaults, const Config& updates, bool remove_extra = false);

}  // namespace weft
