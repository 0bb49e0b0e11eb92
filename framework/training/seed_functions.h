// [training] seed, and random numbers of registered functions that have generators of their own, as
// Python's have.
#pragma once

#include <cstdint>

#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// [training] seed; 0 where it is null or missing. `values` is expanded.
WEFT_API std::uint64_t training_seed(const Config& values);

// Sets the generators to [training] seed; null leaves them as they are. Runs call it before a
// registered function is called, and again before their first step: one that is resumed starts from
// the same numbers there. `values` is expanded.
WEFT_API void seed_functions(const Config& values, const Catalogue& catalogue);

}  // namespace weft
