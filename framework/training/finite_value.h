// The value of a schedule, which may be one of a plugin, for whoever goes on with the number.
#pragma once

#include <cstdint>
#include <string_view>

#include "framework/training/schedule.h"

namespace weft {

// Throws Error(config), which names the setting and the step, where the schedule gives a NaN or an
// infinity, or throws anything but an Error and std::bad_alloc.
WEFT_API double finite_value(const Schedule& schedule, std::int64_t step, std::string_view setting);

}  // namespace weft
