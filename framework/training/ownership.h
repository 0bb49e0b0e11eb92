// Which rank updates which parameter. A parameter is updated by one rank, whole: its optimizer's
// state is kept there alone, and its norm is added up as on one rank.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// The owner of each array: the largest first, each to the rank with the least so far; among equals
// the first. `sizes` is in elements.
WEFT_API std::vector<int> owners_of(std::span<const std::size_t> sizes, int ranks);

}  // namespace weft
