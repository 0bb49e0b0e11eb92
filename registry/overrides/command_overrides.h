// Overrides as the commands take them: only what exists can be overridden.
// Source: docs/config.md, "Overrides".
#pragma once

#include <functional>

#include "registry/base/problem.h"
#include "registry/overrides/overrides.h"
#include "registry/value/config.h"

namespace weft {

// Gives the config with its defaults, as far as they can be told, or with `all` of them (see
// FillOptions::all_defaults); says nothing of its problems.
using CompleteConfig = std::function<Config(const Config&, bool all)>;

// Puts the overrides into `config`, read with variables kept. A name must exist in the completed
// config, defaults included; a function that one override names brings its own settings for the
// others. Anything else is an `unknown_override` problem with the nearest names.
WEFT_API void apply_command_overrides(Config& config, const Overrides& overrides,
                                      const CompleteConfig& complete, Problems& problems);

}  // namespace weft
