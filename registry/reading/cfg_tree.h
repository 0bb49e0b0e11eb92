// The second step of reading a `.cfg` file: sections to a tree. Source: docs/config.md,
// "Structure".
#pragma once

#include <memory>
#include <string>

#include "registry/base/problem.h"
#include "registry/reading/cfg_lines.h"
#include "registry/value/config.h"
#include "registry/variables/raw_value.h"

namespace weft {

// Sections in the order of their headers, each with its sub-sections before its own keys. Sections
// and keys given twice, missing parents, conflicts and keys in [DEFAULT] become problems.
Config build_tree(RawFile file, const std::shared_ptr<const std::string>& name, VariableMode mode,
                  Problems& problems);

}  // namespace weft
