// The documents of examples that a pipeline annotates.
#pragma once

#include <span>
#include <vector>

#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// One for each example, in their order; they live as long as the examples.
WEFT_API std::vector<const Doc*> predicted_docs(std::span<Example* const> examples);

}  // namespace weft
