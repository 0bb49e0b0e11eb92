// Linear growth from zero, then linear decay to zero. Thinc's warmup_linear.v1.
#include <algorithm>

#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct WarmupLinear {
  double initial_rate = 0.0;
  std::int64_t warmup_steps = 0;
  std::int64_t total_steps = 0;
};

template <class V>
void fields(V& v, WarmupLinear& c) {
  v.required("initial_rate", c.initial_rate, "the rate reached after the warm-up", at_least(0.0));
  v.required("warmup_steps", c.warmup_steps, "steps of linear growth; step 0 has rate 0",
             closed_range(0, Schedule::kMostSteps));
  v.required("total_steps", c.total_steps, "the step at which the rate is zero again",
             closed_range(0, Schedule::kMostSteps));
}

// The share of the full rate. Both lengths are taken as 1 at least: a warm-up of no steps, or a run
// that ends with it, divides by no zero.
double factor(const WarmupLinear& c, std::int64_t step) {
  if (step < c.warmup_steps) {
    return static_cast<double>(step) /
           static_cast<double>(std::max<std::int64_t>(1, c.warmup_steps));
  }
  const double left = static_cast<double>(c.total_steps - step);
  return std::max(0.0, left / std::max(1.0, static_cast<double>(c.total_steps - c.warmup_steps)));
}

Schedule warmup_linear(const WarmupLinear& c) {
  return Schedule([c](std::int64_t step) { return factor(c, step) * c.initial_rate; });
}

const Registration registered{"warmup_linear.v1", warmup_linear,
                              "linear warm-up, then linear decay to zero"};

}  // namespace
}  // namespace weft
