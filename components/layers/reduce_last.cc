// reduce_last.v1. Source: Thinc 8.3.
#include "components/layers/reduce.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

ModelPtr make() {
  return reduce("reduce_last", Pool::last);
}

const Registration registered{"layers", "reduce_last.v1", make, "each document's last row"};

}  // namespace

}  // namespace weft::layers
