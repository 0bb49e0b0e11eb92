// Puts problems of a filled config where a user mends them.
#pragma once

#include <span>

#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

// A value that does not fit is the fault of the override that gave it, also where the setting is a
// variable that leads there: `--paths.train` for `corpora.train.path`. Of one without a value the
// message says that it stands for true. `config` keeps its variables.
WEFT_API void point_at_overrides(const Config& config, std::span<Problem> problems);

// A setting that has to be given and is not, in a config with defaults: its place is the section
// that lacks it. `config` keeps its variables.
WEFT_API void point_at_sections(const Config& config, std::span<Problem> problems);

// Names that an unknown setting may have meant, anywhere in the config, where none of its section
// is near: training.batcher.size for training.batch_size.
WEFT_API void suggest_elsewhere(const Config& filled, std::span<Problem> problems);

}  // namespace weft
