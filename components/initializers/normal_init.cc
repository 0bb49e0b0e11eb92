// normal_init.v1. Source: Thinc 8.3, which takes `mean` for the standard deviation and draws around
// zero. Configs that rely on it mean the same here.
#include "framework/nn/initializer.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct NormalInit {
  double mean = 0.0;
};

template <class V>
void fields(V& v, NormalInit& c) {
  v("mean", c.mean, "standard deviation (so, in spite of its name, in Thinc); the mean is 0",
    keyword_only, closed_range(0.0, kLargestWeight));
}

Initializer make(const NormalInit& c) {
  return normal_init(0.0, c.mean);
}

const Registration registered{"normal_init.v1", make, "normal around zero"};

}  // namespace

}  // namespace weft
