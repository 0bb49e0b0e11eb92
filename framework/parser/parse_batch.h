// How the scoring network of a parser meets a transition system: as a batch of parses that it asks
// once for a whole pass, never for a single step. States and actions, which of them are valid and
// what they cost are the system's own (framework/ops/transition_system.h); its kernels run them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
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

// The classes and marks that all parses of a group of documents share. They outlive the batches
// that are made of it.
template <transition::System S>
struct ParseInput {
  std::span<const typename S::Action> actions;  // class order
  std::span<const std::uint8_t> unseen;         // see TransitionTaskOf
  typename S::Marks marks;
};

// The classes that each parse took, as far as it went.
using ClassSequences = std::vector<std::vector<std::int32_t>>;

// Parses greedily.
using ParseBatch = std::function<ClassSequences(Context&, const StateScorer&)>;

using transition::ParseStep;

// The dropout mask of hidden vectors, a row for each row of the record.
struct StateMask {
  float* rows = nullptr;  // (rows, hidden); null: none
  // Draws the rows of these steps, from row `row` on; for batches whose steps are not known before.
  std::function<void(std::int64_t row, std::span<const ParseStep> steps)> draw;
};

struct TrainingBatch {
  // All steps that training can take, in the order of the record's rows; empty: they follow from
  // the classes that are taken.
  std::vector<ParseStep> steps;
  // How many rows the record needs room for.
  std::int64_t rows = 0;
  // Whether states have few tokens as other features than the first.
  bool has_rare_features = false;
  // Scores and judges the states and follows the predicted actions. The mask is drawn for all
  // `steps`; where there are none, the batch draws it as it goes.
  std::function<void(Context&, const StateScorer&, const StateMask&, TransitionRecord&)> train;
};

}  // namespace weft
