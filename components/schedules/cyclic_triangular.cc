// Up and down between two values: Smith (2017), "Cyclical learning rates for training neural
// networks". Thinc's cyclic_triangular.v1.
#include <algorithm>
#include <cmath>

#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct CyclicTriangular {
  double min_lr = 0.0;
  double max_lr = 0.0;
  std::int64_t period = 1;
};

template <class V>
void fields(V& v, CyclicTriangular& c) {
  v.required("min_lr", c.min_lr, "the lowest value", at_least(0.0));
  v.required("max_lr", c.max_lr, "the highest value", at_least(0.0));
  v.required("period", c.period, "steps from the lowest to the highest value",
             closed_range(1, Schedule::kMostSteps));
}

// `cycle` counts the triangles from 1, each two periods long; `x` is the distance from the peak in
// periods, 1 at the foot and 0 at the top. Step 0 is already one step above the foot, as in Thinc.
double rate(const CyclicTriangular& c, std::int64_t step) {
  const double it = static_cast<double>(step) + 1.0;
  const auto period = static_cast<double>(c.period);
  const double cycle = std::floor(1.0 + it / (2.0 * period));
  const double x = std::abs(it / period - 2.0 * cycle + 1.0);
  return c.min_lr + (c.max_lr - c.min_lr) * std::max(0.0, 1.0 - x);
}

Schedule cyclic_triangular(const CyclicTriangular& c) {
  return Schedule([c](std::int64_t step) { return rate(c, step); });
}

const Registration registered{"cyclic_triangular.v1", cyclic_triangular,
                              "up and down between two values"};

}  // namespace
}  // namespace weft
