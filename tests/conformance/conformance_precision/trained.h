// Shared by replays of training.
#pragma once

#include <vector>

#include "framework/training/optimizer.h"
#include "registry/value/config.h"
#include "tests/conformance/conformance_precision/replay.h"

namespace replay {

// All numbers of nested lists, in order.
std::vector<float> flattened(const json& values);

// One of our optimizers from its block.
weft::OptimizerPtr built_optimizer(const weft::Object& block);

}  // namespace replay
