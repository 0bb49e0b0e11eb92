// The values of a run that somebody looks for, as lines.
#pragma once

#include <string>
#include <vector>

#include "framework/training/logger.h"

namespace weft {

// A line `KEY -> VALUE` on the output for each dotted name of told_object that one of the patterns
// is found in, with every evaluation. Throws Error(data) at the start for a pattern that is none.
WEFT_API Logger lookup_log(std::vector<std::string> patterns);

}  // namespace weft
