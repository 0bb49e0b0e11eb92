// Relu.v1: an affine map and rectification. Source: Thinc 8.3.
#include "components/layers/activated.h"
#include "registry/functions/registration.h"

namespace weft::layers {

ModelPtr relu(const ActivatedSettings& settings) {
  return activated("relu", Activation::relu, settings, glorot_uniform_init());
}

static const Registration registered{"layers", "Relu.v1", relu,
                                     "an affine map, negative results set to zero"};

}  // namespace weft::layers
