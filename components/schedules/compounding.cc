// Grows or falls by a constant factor up to a limit. Thinc's compounding.v1.
#include <algorithm>
#include <cmath>

#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Compounding {
  double start = 0.0;
  double stop = 0.0;
  double compound = 1.0;
  double t = 0.0;
};

template <class V>
void fields(V& v, Compounding& c) {
  v.required("start", c.start, "the value at step 0", at_least(0.0));
  v.required("stop", c.stop, "the limit, above or below the start", at_least(0.0));
  v.required("compound", c.compound, "the factor of one step", more_than(0.0));
  v("t", c.t, "accepted for spaCy's configs; has no effect there either", at_least(0.0));
}

// start·compound^k, limited to stop
Schedule compounding(const Compounding& c) {
  return Schedule([c](std::int64_t step) {
    // Zero times what grows beyond all numbers would be none.
    const double value =
        c.start == 0.0 ? 0.0 : c.start * std::pow(c.compound, static_cast<double>(step));
    return c.start > c.stop ? std::max(value, c.stop) : std::min(value, c.stop);
  });
}

const Registration registered{"compounding.v1", compounding,
                              "start·compound^step, limited to stop"};

}  // namespace
}  // namespace weft
