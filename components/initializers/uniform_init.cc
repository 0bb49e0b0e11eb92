// uniform_init.v1. Source: Thinc 8.3.
#include "framework/nn/initializer.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct UniformInit {
  double lo = -0.1;
  double hi = 0.1;
};

template <class V>
void fields(V& v, UniformInit& c) {
  v("lo", c.lo, "lowest value", keyword_only, closed_range(-kLargestWeight, kLargestWeight));
  v("hi", c.hi, "highest value", keyword_only, closed_range(-kLargestWeight, kLargestWeight));
}

Initializer make(const UniformInit& c) {
  return uniform_init(c.lo, c.hi);
}

const Registration registered{"uniform_init.v1", make, "uniform between two values"};

}  // namespace

}  // namespace weft
