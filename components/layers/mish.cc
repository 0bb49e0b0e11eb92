// Mish.v1: an affine map and Misra's activation (2019). Source: Thinc 8.3.
#include "components/layers/activated.h"
#include "registry/functions/registration.h"

namespace weft::layers {

ModelPtr mish(const ActivatedSettings& settings) {
  return activated("mish", Activation::mish, settings, glorot_uniform_init());
}

static const Registration registered{"layers", "Mish.v1", mish,
                                     "an affine map and the Mish activation"};

}  // namespace weft::layers
