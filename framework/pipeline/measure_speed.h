// How fast a pipeline annotates.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
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

// A document to annotate: its text, or its words where the spacing is unknown.
struct SpeedInput {
  std::string text = {};
  std::shared_ptr<const Doc> words = nullptr;
};

// Of the documents of a file, without their tokens and annotation: beside a text they are most of
// the memory.
WEFT_API std::vector<SpeedInput> speed_inputs(const std::vector<Doc>& docs);

// Passes over `inputs`.
WEFT_API SpeedMeasurement measure_speed(const Language& nlp, std::span<const SpeedInput> inputs,
                                        WorkerPool& pool, const SpeedPasses& passes);

}  // namespace weft
