// lecun_uniform_init.v1. LeCun and others (1998); Thinc 8.3.
#include "framework/nn/initializer.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Initializer make() {
  return scaled_uniform_init(3.0, Fan::second);
}

const Registration registered{"lecun_uniform_init.v1", make,
                              "uniform within sqrt(3 / d1), from the second dimension"};

}  // namespace

}  // namespace weft
