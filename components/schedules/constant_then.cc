// One value for some steps, then another schedule from its start. Thinc's constant_then.v1.
#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct ConstantThen {
  double rate = 0.0;
  std::int64_t steps = 0;
  Schedule schedule;
};

template <class V>
void fields(V& v, ConstantThen& c) {
  v.required("rate", c.rate, "the value of the first steps", at_least(0.0));
  v.required("steps", c.steps, "how many steps have it", closed_range(0, Schedule::kMostSteps));
  v.required("schedule", c.schedule, "what follows, from its own step 0", at_least(0.0));
}

Schedule constant_then(const ConstantThen& c) {
  return Schedule(
      [c](std::int64_t step) { return step < c.steps ? c.rate : c.schedule(step - c.steps); });
}

const Registration registered{"constant_then.v1", constant_then,
                              "one value for some steps, then another schedule"};

}  // namespace
}  // namespace weft
