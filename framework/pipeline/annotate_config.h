// Comments for people who read a config for the first time.
#pragma once

#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// Puts above each setting what it means, and above each block what its function is for, as far as
// they are described. Comments that are there stay. `config` is filled.
WEFT_API void annotate_config(Config& config, const Catalogue& catalogue);

}  // namespace weft
