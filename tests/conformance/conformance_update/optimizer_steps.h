// Recorded updates with an optimizer call after each.
#pragma once

#include <nlohmann/json.hpp>

#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_update/replay.h"

namespace weft::conformance {

// Runs the steps of `json` with the optimizer it names (Adam.v1) and compares losses, gradient
// norms, and weights and averages where the file has them.
void check_optimizer_steps(Replay& replay, const nlohmann::json& json, const SafeTensors& tensors,
                           const Catalogue& catalogue, Faults& faults);

}  // namespace weft::conformance
