// The parameters of a run are looked at before anything relies on them.
#pragma once

#include <cstdint>
#include <span>

#include "framework/nn/parameter.h"
#include "registry/base/export.h"

namespace weft {

// The parameters lie on the host. Throws Error(diverged), which names the first one that holds a
// NaN or an infinity after that step.
WEFT_API void check_parameters(std::span<const NamedParameter> parameters, std::int64_t step);

}  // namespace weft
