// Which plugins a pipeline was made with, so that a saved one can say what it lacks.
#pragma once

#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// The plugins that the config's functions come from, with these functions' names:
// {"acme 1.2.0": ["acme.counter"]}. Empty where all are built in. Stands in meta.json as "plugins".
WEFT_API Object used_plugins(const Config& values, const Catalogue& catalogue);

// Says of each function that is unknown, or known and not built, which plugin it came from, where
// `meta` tells.
WEFT_API void name_plugins(Problems& problems, const Object& meta);

}  // namespace weft
