// The states that a beam update learns from: those on the way of the recorded analyses, each once,
// and the gradient of their scores. All other states of the search have none and are forgotten.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "framework/ops/context.h"
#include "framework/parser/parse_batch.h"
#include "registry/base/export.h"

namespace weft {

// An analysis that a document's update learnt from, for comparison with records.
struct LearntAnalysis {
  std::vector<std::int32_t> classes;
  double gradient = 0;
};

struct WEFT_API BeamGradient {
  std::vector<ParseStep> steps;        // of each row
  std::vector<int> depth;              // of each row: the number of the search's step
  std::vector<std::int32_t> features;  // (rows, features): token rows, -1 for none
  std::vector<float> d_scores;         // (rows, classes)
  // The sum over the search's steps of the mean square, over all states of the step and all
  // classes.
  double loss = 0;

  std::vector<int> states_per_step;                 // scored
  std::vector<std::vector<LearntAnalysis>> learnt;  // of each document

  std::size_t rows() const { return steps.size(); }
  // One more row, whose gradient is 0; gives where its features go.
  std::int32_t* add_row(const ParseStep& step, int depth_of_row, int feature_count, int classes);
  // Takes the loss of the rows, then the gradient of classes that were never trained.
  void finish(int classes, std::span<const std::uint8_t> unseen);
};

// Fills the dropout masks of states (steps, hidden).
using DrawMasks = std::function<void(std::span<const ParseStep> steps, float* mask)>;

// Searches with the scoring layers of a pass. Runs once.
using BeamBatch =
    std::function<BeamGradient(Context& ctx, const StateScorer& scorer, const DrawMasks& draw)>;

}  // namespace weft
