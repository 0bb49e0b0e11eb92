// The JSON value of a record's text, within the budget of the file that it is from.
#pragma once

#include <string_view>

#include "framework/io/read_budget.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Throws Error(data), without a place, for what is no JSON, for more than 2097152 values, for one
// nested more than 512 deep, and where its values would take more memory than the budget allows;
// earlier charges are forgotten.
WEFT_API Node parse_record(std::string_view text, ReadBudget& budget);

}  // namespace weft
