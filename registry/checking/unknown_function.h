// The problem of a block whose function cannot be found.
#pragma once

#include <string>

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"

namespace weft {

// `kind` and `name` as the config gives them; `name` may be of any type. The message lists the
// known ones, and names the kind that has such a function.
Problem unknown_function(const Catalogue& catalogue, std::string_view kind, const Node& name,
                         std::string path);

}  // namespace weft
