// How fast a pipeline annotates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/pipeline/language.h"
#include "registry/base/export.h"

namespace weft {

class WorkerPool;

struct SpeedMeasurement {
  std::vector<double> words_per_second;  // of each pass
  std::int64_t words = 0;                // in one pass
};

// Passes over `docs`, which stay as they are; `warmup` of them come first and are not measured. A
// pass starts from the text, tokenization included, or from the words of documents whose spacing is
// unknown.
WEFT_API SpeedMeasurement measure_speed(const Language& nlp, std::span<const Doc> docs,
                                        WorkerPool& pool, int repeats, int warmup);

}  // namespace weft
