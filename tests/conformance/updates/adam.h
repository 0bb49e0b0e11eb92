// The optimizer of recorded steps.
#pragma once

#include <nlohmann/json.hpp>

#include "framework/training/optimizer.h"
#include "registry/functions/catalogue.h"

namespace weft::conformance {

// Adam.v1 with these settings. Throws std::runtime_error where it cannot be made.
OptimizerPtr adam_of(const nlohmann::json& settings, const Catalogue& catalogue);

}  // namespace weft::conformance
