// Which settings of a run may change when it goes on from a checkpoint.
#pragma once

#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

// `now` with the components of `at_start`, whose weights the checkpoint has, where it takes them
// from a saved pipeline (`source`).
WEFT_API Config with_built_components(const Config& at_start, Config now);

// An error for each setting that differs and may not: what shapes the model, the data, or the order
// of things. Limits, frequencies, rates, logging and paths may change. Both configs are filled and
// have no variables left.
WEFT_API Problems check_resumed_config(const Config& at_start, const Config& now);

// The same for a pretraining run.
WEFT_API Problems check_resumed_pretraining(const Config& at_start, const Config& now);

}  // namespace weft
