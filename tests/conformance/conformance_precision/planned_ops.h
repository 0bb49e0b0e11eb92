// The ops that the records of op_policy.json speak of: those that are built, by what their structs
// say, and those that are planned, by lists.
#pragma once

#include <string_view>
#include <vector>

#include "framework/precision/op_policy.h"

namespace replay {

// The declaration of the kernels that run the recorded op; for an op that none runs, the one it is
// planned to have. Empty for a name that is neither.
std::vector<weft::OpPolicy> declarations_of(std::string_view recorded);

}  // namespace replay
