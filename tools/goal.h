// The word of --optimize.
#pragma once

#include <string>

#include "framework/pipeline/starter_block.h"

namespace weft::tools {

// efficiency for ""; throws Error(usage) for another word than efficiency and accuracy.
Goal goal_of(const std::string& word);

}  // namespace weft::tools
