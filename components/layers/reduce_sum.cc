// reduce_sum.v1. Source: Thinc 8.3.
#include "components/layers/reduce.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

ModelPtr make() {
  return reduce("reduce_sum", Pool::sum);
}

const Registration registered{"layers", "reduce_sum.v1", make, "the sum of each document's rows"};

}  // namespace

}  // namespace weft::layers
