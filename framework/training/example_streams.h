// Streams of examples made of other streams.
#pragma once

#include <cstdint>
#include <functional>

#include "framework/pipeline/component.h"

namespace weft {

// The first `limit` examples; all for 0.
WEFT_API ExampleStreamPtr first_examples(ExampleStreamPtr examples, std::int64_t limit);

// A stream of the examples that `next` gives until it gives null.
WEFT_API ExampleStreamPtr stream_of(std::function<ExamplePtr()> next);

// The same examples with their numbers set: 1, 2, ...
WEFT_API ExampleStreamPtr numbered(ExampleStreamPtr examples);

// All of them in memory.
WEFT_API std::vector<ExamplePtr> read_all(ExampleStream& examples);

}  // namespace weft
