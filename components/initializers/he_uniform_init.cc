// he_uniform_init.v1. He and others (2015); Thinc 8.3.
#include "framework/nn/initializer.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Initializer make() {
  return scaled_uniform_init(6.0, Fan::second);
}

const Registration registered{"he_uniform_init.v1", make,
                              "uniform within sqrt(6 / d1), from the second dimension"};

}  // namespace

}  // namespace weft
