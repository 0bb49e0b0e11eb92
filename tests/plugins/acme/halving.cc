// A schedule.
#include <cmath>

#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace acme {
namespace {

struct HalvingSettings {
  double start = 0.001;
  int every = 1000;
};

template <class V>
void fields(V& v, HalvingSettings& c) {
  v("start", c.start, "the rate of step 0", weft::more_than(0));
  v.required("every", c.every, "steps until it is halved", weft::at_least(1));
}

weft::Schedule halving(const HalvingSettings& c) {
  return weft::Schedule([c](std::int64_t step) {
    return c.start * std::pow(0.5, static_cast<double>(step / c.every));
  });
}

const weft::Registration registered{"acme.halving.v1", halving, "halves the rate at regular steps"};

}  // namespace
}  // namespace acme
