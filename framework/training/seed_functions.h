// Random numbers of registered functions that have generators of their own, as Python's have.
#pragma once

#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// Sets them to [training] seed; null leaves them as they are. Runs call it before a registered
// function is called, and again before their first step: one that is resumed starts from the same
// numbers there. `values` is expanded.
WEFT_API void seed_functions(const Config& values, const Catalogue& catalogue);

}  // namespace weft
