// The functions that come with the library.
#pragma once

#include "registry/catalogue.h"
#include "registry/export.h"

namespace weft {

// Adds everything that this library registers.
WEFT_API void add_builtin(Catalogue& catalogue);

}  // namespace weft
