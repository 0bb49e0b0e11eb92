// glorot_uniform_init.v1. Glorot and Bengio (2010); Thinc 8.3.
#include "framework/nn/initializer.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Initializer make() {
  return glorot_uniform_init();
}

const Registration registered{"glorot_uniform_init.v1", make,
                              "uniform within sqrt(6 / (d0 + d1)), from the first two dimensions"};

}  // namespace

}  // namespace weft
