// How far tokens are from the roots of their trees.
#pragma once

#include <span>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// `heads`: the number of each token's head, its own for a root. Gives the steps from each token to
// the root above it; their number for tokens in a circle of heads, and for those below one. Every
// token is walked over once.
WEFT_API std::vector<int> steps_to_roots(std::span<const int> heads);

}  // namespace weft
