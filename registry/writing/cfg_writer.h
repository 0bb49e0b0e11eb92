// Writes the `.cfg` dialect. Source: docs/config.md, "Writing".
#pragma once

#include <string>

#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

enum class SectionOrder {
  breadth_first,  // as the current reference: all first-level sections, then all second
                  // ...
  depth_first,    // each section followed by its children, as older releases wrote
};

struct WriteOptions {
  SectionOrder order = SectionOrder::breadth_first;
  bool comments = true;         // write the comments that the nodes carry
  bool check_variables = true;  // a `$` that starts no variable beside one is a problem
  bool ascii = false;           // values beyond plain ASCII as JSON strings with \u escapes
};

// The text, no trailing line feed. Content that the dialect cannot hold (keys with `=`, names with
// dots, values outside any section ...) becomes `unserialisable` problems that name the path.
WEFT_API std::string write_cfg(const Config& config, Problems& problems,
                               const WriteOptions& options = {});

}  // namespace weft
