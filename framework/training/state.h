// Everything a training run carries from one step to the next, apart from parameters and optimizer.
// Explicit, so that a checkpoint can hold it: random draws are keyed by seed, step and epoch, and
// the place in the data is a pair of numbers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "framework/pipeline/batch.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Where a run stands in its data: enough to find the next batch again.
struct BatchPosition {
  std::int64_t epoch = 0;                 // passes over the data that are complete
  std::int64_t batches_taken = 0;         // of the present pass
  std::int64_t sizes_taken = 0;           // batch sizes asked of the schedule
  std::int64_t sizes_at_epoch_start = 0;  // the same when the present pass began
};

struct TrainingState : BatchPosition {
  std::int64_t step = 0;                                 // updates made: the number of the next one
  std::int64_t words = 0;                                // trained on so far
  std::int64_t words_at_evaluation = 0;                  // the same at the last evaluation
  Losses losses;                                         // since the last evaluation
  std::vector<std::pair<double, std::int64_t>> results;  // (score, step) of each evaluation

  // The time spent on updates; no part of a result.
  double seconds = 0.0;
  double seconds_at_evaluation = 0.0;
};

// Whether a run can have counted so far; sums of two such numbers fit.
constexpr bool is_count(std::int64_t number) {
  return number >= 0 && number <= std::int64_t{1} << 53;
}

// The earliest step with the highest score; 0 before the first evaluation.
WEFT_API std::int64_t best_step(const TrainingState& state);
// Whether the last evaluation was the best so far; an equal score counts.
WEFT_API bool last_is_best(const TrainingState& state);

WEFT_API Node to_node(const TrainingState& state);
// Throws Error(data) for a node that `to_node` did not make.
WEFT_API TrainingState training_state_from(const Node& node);

}  // namespace weft
