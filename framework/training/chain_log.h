// Several loggers of a run as one.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/training/logger.h"

namespace weft {

// The order in which loggers of a chain get the row of an evaluation.
enum class RowOrder : std::uint8_t { as_given, last_first };

// Several as one. They are told in this order, rows aside, and each of them even if one before it
// throws; the first fault is thrown behind the last.
WEFT_API Logger chain_logs(std::vector<Logger> logs, RowOrder rows = RowOrder::as_given);

}  // namespace weft
