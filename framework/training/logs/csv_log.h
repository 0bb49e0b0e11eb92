// The log that spreadsheets and data frames read: a row of comma-separated values for each
// evaluation (RFC 4180).
#pragma once

#include <filesystem>

#include "framework/training/logger.h"

namespace weft {

// Columns: `step`, `score`, `epoch`, `words`, `learn_rate`, `words_per_second`, `loss_COMPONENT`,
// then the scores, those of types with dots (`ents_per_type.GPE.f`), and `seconds` of training.
// The first evaluation says which there are; of later ones those that had a value then. An empty
// cell is a score that could not be computed; NaN and infinities are `nan`, `inf`, `-inf`. Throws
// Error(usage) at the start for a file that is there already, Error(system) where it cannot be
// written.
WEFT_API Logger csv_log(std::filesystem::path file);

}  // namespace weft
