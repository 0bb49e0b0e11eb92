// Gelu.v1: an affine map and an activation of Hendrycks and Gimpel (2016). Source: Thinc 8.3.
#include "components/layers/activated.h"
#include "registry/functions/registration.h"

namespace weft::layers {

ModelPtr gelu(const ActivatedSettings& settings) {
  return activated("gelu", Activation::gelu, settings, scaled_normal_init(2.0, Fan::second));
}

static const Registration registered{"layers", "Gelu.v1", gelu,
                                     "an affine map and the Gaussian error linear unit"};

}  // namespace weft::layers
