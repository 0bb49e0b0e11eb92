// Whether 16 bits can pay, by where the time of a run goes. Source: docs/precision.md, "Pitfalls".
#pragma once

#include <vector>

#include "framework/ops/op_profile.h"
#include "framework/precision/policy.h"
#include "registry/base/export.h"

namespace weft {

// P070 where GEMMs that the policy gives 16-bit inputs took less than 30 % of the time of all
// ops and casts. Nothing where the policy casts nothing, or no op ran.
WEFT_API Notices check_gain(const PrecisionPolicy& policy, const std::vector<OpShare>& shares);

}  // namespace weft
