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

// Where a pass starts: from the text, tokenization included, or from the words of documents whose
// spacing is unknown; or from documents whose words are looked up, with the ids of their attributes
// in memory.
enum class PassStart : std::uint8_t { text, ids };

struct SpeedPasses {
  int repeats = 5;
  int warmup = 1;  // passes before them, which are not measured
  PassStart start = PassStart::text;
};

// Passes over `docs`, which stay as they are.
WEFT_API SpeedMeasurement measure_speed(const Language& nlp, std::span<const Doc> docs,
                                        WorkerPool& pool, const SpeedPasses& passes);

}  // namespace weft
