// The functions that come with the library.
#pragma once

#include "registry/base/export.h"
#include "registry/functions/catalogue.h"

namespace weft {

// Adds everything that this library registers.
WEFT_API void add_builtin(Catalogue& catalogue);

}  // namespace weft
