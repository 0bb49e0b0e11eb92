// A dry run: the data, steps and memory of a run, without training.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>

#include "framework/training/memory_budget.h"
#include "framework/training/training_setup.h"
#include "registry/base/export.h"

namespace weft {

struct DryRun {
  std::int64_t batches = 0;    // looked at
  std::int64_t documents = 0;  // of the batch with the most words
  std::int64_t words = 0;
  std::int64_t longest = 0;   // words of its longest document
  std::string longest_place;  // "train.jsonl:7, document 6"; "" if it is not known
  std::size_t held_data = 0;  // bytes of examples in memory, estimated
  MemoryBudget memory;
  double estimated = 0.0;  // bytes of the passes of that batch, from the layers' shapes
  double measured = 0.0;   // the same, measured
  double process = 0.0;    // the most that the process took so far
  std::map<std::string, double> losses;
};

// Reads all data, looks for the batch with the most words among those of the run (those of the
// first pass of a stream), and runs it forward and back. Nothing is trained or written. Throws as
// TrainingRun and ShardRunner::accumulate do; entities that do not fit are told on `err`.
WEFT_API DryRun dry_run(const TrainingSetup& setup, std::ostream& err);

// The text for `train --dry-run`.
WEFT_API void print(const DryRun& run, std::ostream& out);

}  // namespace weft
