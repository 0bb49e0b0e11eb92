// Schedules between Python and C++.
#pragma once

#include <nanobind/nanobind.h>

#include "framework/training/schedule.h"

namespace weft::python {

// A schedule of a config as a function of Python gets it: weft.Schedule.
struct PythonSchedule {
  Schedule schedule;
};

}  // namespace weft::python
