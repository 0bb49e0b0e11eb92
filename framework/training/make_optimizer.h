// The optimizer that a config names.
#pragma once

#include "framework/training/optimizer.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// That of [training.optimizer] in an expanded config. Throws Error(config) for settings that do not
// fit, and for a function that makes something else.
WEFT_API OptimizerPtr make_optimizer(const Config& values, const Catalogue& catalogue);

}  // namespace weft
