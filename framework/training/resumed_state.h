// Whether a checkpoint holds places in logs and a history of losses as runs write them.
#pragma once

#include "framework/training/checkpoint.h"
#include "registry/base/export.h"

namespace weft {

// Throws Error(data), with the key of state.json, for places in other logs than a run writes, and
// for a history of losses that is none.
WEFT_API void check_resumed_state(const Checkpoint& checkpoint);

}  // namespace weft
