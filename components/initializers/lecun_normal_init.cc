// lecun_normal_init.v1. LeCun and others (1998); Thinc 8.3.
#include "framework/nn/initializer.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

Initializer make() {
  return scaled_normal_init(1.0, Fan::second);
}

const Registration registered{"lecun_normal_init.v1", make, "normal, deviation sqrt(1 / d1)"};

}  // namespace

}  // namespace weft
