// Gives a parser model room for more output classes.
#pragma once

#include <cstdint>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// Sets the number of classes. Where parameters exist already, the new classes get zeros behind the
// old ones and the result is true. Throws Error(data) for fewer classes than there are parameters
// for.
WEFT_API bool grow_parser_output(Model& parser, std::int64_t classes);

}  // namespace weft
