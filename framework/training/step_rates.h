// The numbers that schedules give the optimizer, looked at before a step follows them.
#pragma once

#include "framework/training/optimizer.h"

namespace weft {

// Throws as finite_value for the schedules that the optimizer's next update follows.
WEFT_API void check_rates(const Optimizer& optimizer);

}  // namespace weft
