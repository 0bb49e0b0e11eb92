// Loggers that keep nothing.
#pragma once

#include <string>
#include <vector>

#include "framework/training/logger.h"

namespace weft {

// A line `KEY -> VALUE` on the output for each dotted name of told_object that one of the patterns
// is found in, with every evaluation. Throws Error(data) at the start for a pattern that is none.
WEFT_API Logger lookup_log(std::vector<std::string> patterns);

// Says `note` at the start and nothing later.
WEFT_API Logger silent_log(std::string note);

}  // namespace weft
