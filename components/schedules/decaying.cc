// Falls as one over the steps. Thinc's decaying.v1.
#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Decaying {
  double base_rate = 0.0;
  double decay = 0.0;
  std::int64_t t = 0;
};

template <class V>
void fields(V& v, Decaying& c) {
  v.required("base_rate", c.base_rate, "the value at step 0 (where t is 0)", at_least(0.0));
  v.required("decay", c.decay, "how fast it falls", at_least(0.0));
  v("t", c.t, "steps that count as done at the start", closed_range(0, Schedule::kMostSteps));
}

// base_rate / (1 + decay·(k + t))
Schedule decaying(const Decaying& c) {
  return Schedule([c](std::int64_t step) {
    return c.base_rate * (1.0 / (1.0 + c.decay * static_cast<double>(step + c.t)));
  });
}

const Registration registered{"decaying.v1", decaying, "base_rate / (1 + decay·step)"};

}  // namespace
}  // namespace weft
