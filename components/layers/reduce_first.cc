// reduce_first.v1. Source: Thinc 8.3.
#include "components/layers/reduce.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

ModelPtr make() {
  return reduce("reduce_first", Pool::first);
}

const Registration registered{"layers", "reduce_first.v1", make, "each document's first row"};

}  // namespace

}  // namespace weft::layers
