// A short climb and a long descent: Howard and Ruder (2018), "Universal language model fine-tuning
// for text classification". Thinc's slanted_triangular.v1.
#include <fmt/format.h>

#include "framework/training/schedule.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct SlantedTriangular {
  double max_rate = 0.0;
  std::int64_t num_steps = 0;
  double cut_frac = 0.1;
  std::int64_t ratio = 32;
  double decay = 1.0;
  double t = 0.0;
};

constexpr Range kOpenShare{.min = 0.0, .max = 1.0, .min_open = true, .max_open = true};

template <class V>
void fields(V& v, SlantedTriangular& c) {
  v.required("max_rate", c.max_rate, "the highest value", at_least(0.0));
  v.required("num_steps", c.num_steps, "steps of the whole triangle",
             closed_range(1, Schedule::kMostSteps));
  v("cut_frac", c.cut_frac, "share of the steps spent climbing", kOpenShare);
  v("ratio", c.ratio, "how much smaller the lowest value is", at_least(1));
  v("decay", c.decay, "accepted for spaCy's configs; has no effect there either", at_least(0.0));
  v("t", c.t, "steps that count as done at the start", at_least(0.0));
}

// `p` runs from 0 to 1 over the first `cut` steps, a whole number of them, and back to 0 over the
// rest; the rate goes with it from max_rate / ratio to max_rate and back. Steps count from 1, as in
// Thinc.
double rate(const SlantedTriangular& c, std::int64_t step) {
  const double t = static_cast<double>(step) + 1.0 + c.t;
  const auto cut =
      static_cast<double>(static_cast<std::int64_t>(static_cast<double>(c.num_steps) * c.cut_frac));
  const double p = t < cut ? t / cut : 1.0 - (t - cut) / (cut * (1.0 / c.cut_frac - 1.0));
  const auto ratio = static_cast<double>(c.ratio);
  return c.max_rate * (1.0 + p * (ratio - 1.0)) * (1.0 / ratio);
}

Schedule slanted_triangular(const SlantedTriangular& c) {
  if (static_cast<double>(c.num_steps) * c.cut_frac < 1.0) {
    throw Error(ErrorKind::config,
                fmt::format("cut_frac = {} of num_steps = {} is not one step of climbing",
                            c.cut_frac, c.num_steps));
  }
  return Schedule([c](std::int64_t step) { return rate(c, step); });
}

const Registration registered{"slanted_triangular.v1", slanted_triangular,
                              "a short linear climb, then a long linear descent"};

}  // namespace
}  // namespace weft
