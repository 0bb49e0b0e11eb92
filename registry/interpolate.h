// Replaces ${section.key} and ${section} by what they stand for. Source: docs/config.md,
// "Variables".
#pragma once

#include "registry/config.h"
#include "registry/problem.h"

namespace weft {

// The tree with every variable replaced. All unresolved variables, cycles (the message prints the
// cycle) and section references inside text are reported.
WEFT_API Config interpolate(const Config& config, Problems& problems);

}  // namespace weft
