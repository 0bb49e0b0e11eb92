// Swish.v1: an affine map and an activation of Ramachandran and others (2017). Source: Thinc 8.3.
#include "components/layers/activated.h"
#include "registry/functions/registration.h"

namespace weft::layers {

ModelPtr swish(const ActivatedSettings& settings) {
  return activated("swish", Activation::swish, settings, scaled_normal_init(2.0, Fan::second));
}

static const Registration registered{"layers", "Swish.v1", swish,
                                     "an affine map and the Swish activation"};

}  // namespace weft::layers
