// he_normal_init.v1. He and others (2015); Thinc 8.3.
#include "framework/nn/initializer.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Initializer make() {
  return scaled_normal_init(2.0, Fan::second);
}

const Registration registered{"he_normal_init.v1", make, "normal, deviation sqrt(2 / d1)"};

}  // namespace

}  // namespace weft
