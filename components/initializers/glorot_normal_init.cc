// glorot_normal_init.v1. Glorot and Bengio (2010); Thinc 8.3.
#include "framework/nn/initializer.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Initializer make() {
  return scaled_normal_init(2.0, Fan::first_two);
}

const Registration registered{"glorot_normal_init.v1", make,
                              "normal, deviation sqrt(2 / (d0 + d1))"};

}  // namespace

}  // namespace weft
