// A logger for services that do not exist here.
#pragma once

#include <string>

#include "framework/training/logger.h"

namespace weft {

// Says `note` at the start and nothing later.
WEFT_API Logger silent_log(std::string note);

}  // namespace weft
