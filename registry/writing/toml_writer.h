// Writes the `.toml` dialect. Source: docs/config.md, "TOML".
#pragma once

#include <string>

#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

// Integers outside 64 bits and other values TOML cannot hold become `unserialisable` problems
// naming the key. With `ascii`, characters of keys and values beyond plain ASCII are escapes.
WEFT_API std::string write_toml(const Config& config, Problems& problems, bool ascii = false);

}  // namespace weft
