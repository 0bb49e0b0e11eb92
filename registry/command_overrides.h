// Overrides as the commands take them: only what exists can be overridden.
// Source: docs/config.md, "Overrides".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/catalogue.h"
#include "registry/config.h"
#include "registry/overrides.h"
#include "registry/problem.h"
#include "registry/schema.h"

namespace weft {

// `config`, read with variables kept, with the overrides put in. A name must exist in the config or
// as a default that filling adds; a new function named by one override brings its own settings for
// the others. Anything else is an `unknown_override` problem with the nearest names.
WEFT_API Config apply_command_overrides(const Config& config, const Overrides& overrides,
                                        const Catalogue& catalogue, const Schemas& schemas,
                                        Problems& problems);

// Up to two of `names` (dotted, everything there is) that `name` may have meant: the nearest keys
// of its section, or the key in the nearest section; else a setting of the same top section whose
// path is made of the same words (training.batch_size: training.batcher.size), and the same key
// elsewhere (nlp.batch_size).
WEFT_API std::vector<std::string> nearest_settings(std::string_view name,
                                                   const std::vector<std::string>& names);

}  // namespace weft
