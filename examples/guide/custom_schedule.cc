// A schedule: a number that grows by a factor with every step.
#include <cmath>

#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace guide {
namespace {

struct ScheduleSettings {
  double start = 1;
  double factor = 1.001;
};

template <class V>
void fields(V& v, ScheduleSettings& c) {
  v("start", c.start, "the number of step 0", weft::more_than(0));
  v("factor", c.factor, "growth with each step", weft::more_than(0));
}

// A function of the step, not a generator: a run that is resumed asks for the step it is at.
weft::Schedule custom_schedule(const ScheduleSettings& c) {
  return weft::Schedule(
      [c](std::int64_t step) { return c.start * std::pow(c.factor, static_cast<double>(step)); });
}

const weft::Registration registered{"my_custom_schedule.v1", custom_schedule,
                                    "grows by a factor with every step"};

}  // namespace
}  // namespace guide
