// The numbers that schedules give the optimizer, looked at before a step follows them.
#pragma once

#include "framework/training/optimizer.h"

namespace weft {

// Throws Error(config), which names the setting and the step of the schedules, where one of the
// optimizer's schedules gives a NaN or an infinity for its next update, or throws, as a schedule of
// a plugin may.
WEFT_API void check_rates(const Optimizer& optimizer);

}  // namespace weft
