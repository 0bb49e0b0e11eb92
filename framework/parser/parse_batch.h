// How the scoring network of a parser meets a transition system: as a batch of parses that it asks
// once for a whole pass, never for a single step. States and actions, which of them are valid and
// what they cost are the system's own (framework/ops/transition_system.h); its kernels run them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "framework/ops/context.h"
#include "framework/ops/transition_steps.h"

namespace weft {

// The scoring layers, with lower-layer rows of so many tokens.
struct StateScorer {
  ScorerShape shape;
  ScorerWeights weights;
  std::int64_t tokens = 0;
};

// Parses greedily: gives the class taken at every token, -1 where a parse had ended.
using ParseBatch = std::function<std::vector<std::int32_t>(Context&, const StateScorer&)>;

// A row that training records.
struct ParseStep {
  std::int64_t token = 0;  // of the batch, where the parse starts
  int round = 0;           // how many steps of the parse come before
};

struct TrainingBatch {
  // All steps that training can take, in the order of the record's rows.
  std::vector<ParseStep> steps;
  // Scores and judges the states and follows the predicted actions. `mask` (rows, hidden)
  // multiplies hidden vectors; null: none.
  std::function<void(Context&, const StateScorer&, const float* mask, TransitionRecord&)> train;
};

}  // namespace weft
