// The value of a schedule, which may be one of a plugin, for code that goes on with the number.
#pragma once

#include <cstdint>
#include <string>

#include "framework/training/schedule.h"
#include "registry/base/export.h"

namespace weft {

struct ScheduleValue {
  double value = 0.0;
  std::string fault;  // "its schedule gives nan in step 3"; empty: `value` is a finite number
};

// A NaN, an infinity, and an exception that is neither an Error nor std::bad_alloc are faults, for
// the caller to tell with the setting that the schedule belongs to.
WEFT_API ScheduleValue finite_value(const Schedule& schedule, std::int64_t step);

}  // namespace weft
