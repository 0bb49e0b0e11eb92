// reduce_max.v1. Source: Thinc 8.3.
#include "components/layers/reduce.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

ModelPtr make() {
  return reduce("reduce_max", Pool::max);
}

const Registration registered{"layers", "reduce_max.v1", make,
                              "the largest of each column of a document's rows"};

}  // namespace

}  // namespace weft::layers
