// The ops that the records of op_policy.json speak of: those that are built, by what their structs
// say, and those that are planned, by lists.
#pragma once

#include <string_view>
#include <vector>

#include "framework/precision/op_policy.h"

namespace replay {

// What the kernels say of themselves that run the recorded op; of an op that none runs, what it is
// planned to be. Empty for a name that is neither.
std::vector<weft::OpPolicy> declarations_of(std::string_view recorded);

}  // namespace replay
