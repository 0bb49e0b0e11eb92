// Starter blocks of components that are not built yet, for `init config`. They stand in
// components/reserved/starter_blocks.json; a component that is built declares its own beside its
// registration (framework/pipeline/starter_block.h).
#pragma once

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// By factory: {"tagger": {"starter": {...}}}.
WEFT_API const Object& reserved_starter_blocks();

}  // namespace weft
