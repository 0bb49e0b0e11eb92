// zero_init.v1. Source: Thinc 8.3.
#include "framework/nn/initializer.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Initializer make() {
  return zero_init();
}

const Registration registered{"zero_init.v1", make, "zeros"};

}  // namespace

}  // namespace weft
