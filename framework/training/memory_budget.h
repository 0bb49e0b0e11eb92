// How [system] memory is shared out in a training run.
#pragma once

#include <cstddef>

#include "framework/pipeline/language.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// All in bytes.
struct MemoryBudget {
  double limit = 0.0;       // [system] memory; 0: none
  double program = 0.0;     // code, vocabulary, and what else is always there
  double parameters = 0.0;  // with their gradients, moments and averages
  // Left for the examples in memory and for the passes of a step; 0: no limit.
  double rest = 0.0;
  std::size_t evaluation_data = std::size_t{1} << 28;  // more is read anew for each evaluation
};

// From a config without variables and the initialised pipeline, and nothing else: a resumed run
// cuts its batches as before. Throws Error(config) where the limit leaves nothing for training, and
// says what it would take.
WEFT_API MemoryBudget memory_budget(const Config& values, const Language& nlp);

// Bytes for the passes of a step beside so many bytes of examples in memory; 0: no limit. Throws
// Error(config) where that is too little.
WEFT_API double memory_for_step(const MemoryBudget& budget, std::size_t held_examples);

}  // namespace weft
