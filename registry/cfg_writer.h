// Writes the `.cfg` dialect. Source: docs/config.md, "Writing".
#pragma once

#include <string>

#include "registry/config.h"
#include "registry/problem.h"

namespace weft {

enum class SectionOrder {
  breadth_first,  // what the current reference writes: all first-level sections, then all second
                  // ...
  depth_first,    // each section followed by its children, as older releases wrote
};

// The text, comments included, no trailing line feed. What the dialect cannot hold (keys with `=`,
// names with dots ...) becomes `unserialisable` problems.
WEFT_API std::string write_cfg(const Config& config, Problems& problems,
                               SectionOrder order = SectionOrder::breadth_first);

}  // namespace weft
