// JSON files as spaCy writes them: two blanks of indentation, no blank behind a colon, floats with
// at most ten significant decimals, null for what is no finite number.
#pragma once

#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

WEFT_API std::string to_pretty_json(const Node& node);

}  // namespace weft
