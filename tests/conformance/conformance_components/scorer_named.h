// Scorers by the names that configs give them.
#pragma once

#include <string>

#include "framework/pipeline/scores.h"
#include "registry/functions/catalogue.h"

namespace weft::conformance {

// Throws std::runtime_error where it cannot be made.
Scorer scorer_named(const std::string& name, const Catalogue& catalogue);

}  // namespace weft::conformance
