// reduce_mean.v1. Source: Thinc 8.3.
#include "components/layers/reduce.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

ModelPtr make() {
  return reduce("reduce_mean", Pool::mean);
}

const Registration registered{"layers", "reduce_mean.v1", make, "the mean of each document's rows"};

}  // namespace

}  // namespace weft::layers
