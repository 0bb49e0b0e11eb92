// The numbers that schedules give the optimizer, looked at before a step follows them.
#pragma once

#include "framework/training/optimizer.h"

namespace weft {

// Throws Error(config) with the setting, "training.optimizer.learn_rate", for a schedule that gives
// no finite number for the next update, one that its rule cannot use, or fails.
WEFT_API void check_rates(const Optimizer& optimizer);

}  // namespace weft
