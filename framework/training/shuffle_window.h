// A stream in random order that never holds more than a window of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/pipeline/component.h"
#include "registry/base/export.h"

namespace weft {

// Holds `window` examples (at least 1), gives one of them at random and takes the next one of the
// stream in its place. The order depends on the arguments and on nothing else: reading a pass again
// up to an example gives the examples before it again.
WEFT_API ExampleStreamPtr shuffled_in_window(ExampleStreamPtr examples, std::size_t window,
                                             std::uint64_t seed, std::int64_t epoch);

}  // namespace weft
