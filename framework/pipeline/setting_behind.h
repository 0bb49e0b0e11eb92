// The setting that a user changes in order to change another one, which is a variable.
#pragma once

#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// `paths.train` for `corpora.train.path` where that is `${paths.train}` and nothing else, variables
// of variables followed; the path itself for any other value. `config` keeps its variables.
WEFT_API std::string setting_behind(const Config& config, std::string path);

}  // namespace weft
