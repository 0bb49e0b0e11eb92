// Checks of [training.precision]: ranges, and the combinations that are
// refused or warned of. Source: docs/precision.md, "Refused combinations".
#pragma once

#include "framework/precision/policy.h"

namespace weft {

// P008 for each number out of its range.
void check_ranges(const PrecisionSettings& settings, Notices& notices);

// P002 to P006 for a policy whose fields are resolved, and notes on settings without effect.
void check_combinations(const PrecisionPolicy& policy, Notices& notices);

}  // namespace weft
