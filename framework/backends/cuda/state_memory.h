// Memory that the threads of a block share while they work on one state of a transition system.
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/backends/cuda/block.h"
#include "framework/ops/transition_oracle.h"
#include "framework/ops/transition_steps.h"

namespace weft::cuda {

// The state's numbers on the way to its scores.
struct ScoreMemory {
  static constexpr int kSums = 4;

  float* pieces;  // (hidden, pieces)
  float* hidden;  // (hidden), as the upper layer takes them
  float* sums;    // (kSums, classes): parts of the scores

  static SharedSize size(const ScorerShape& shape) {
    return SharedSize()
        .add<float>(shape.slice())
        .add<float>(shape.hidden)
        .add<float>(std::ptrdiff_t{kSums} * shape.classes);
  }
  WEFT_KERNEL static ScoreMemory take(Block& block, const ScorerShape& shape) {
    ScoreMemory memory;
    memory.pieces = block.shared<float>(shape.slice());
    memory.hidden = block.shared<float>(shape.hidden);
    memory.sums = block.shared<float>(std::ptrdiff_t{kSums} * shape.classes);
    return memory;
  }
};

// Memory that the choice of a class needs, shared by the threads of a block.
struct ChoiceMemory {
  // Of the classes that a thread has, then of all, with the first thread.
  float* best_score;
  std::int32_t* best_class;
  transition::LossPeaks* peaks;  // these in training
  double* sums;  // half of the threads add up the terms of all classes, half those of gold ones
  float* loss;
  // One for each class, in training.
  float* costs;
  double* all_terms;
  double* gold_terms;

  static SharedSize size(int threads, int classes, bool trains) {
    const int of_threads = trains ? threads : 0, of_classes = trains ? classes : 0;
    return SharedSize()
        .add<float>(threads)
        .add<std::int32_t>(threads)
        .add<transition::LossPeaks>(of_threads)
        .add<double>(of_threads)
        .add<float>(of_threads)
        .add<float>(of_classes)
        .add<double>(of_classes)
        .add<double>(of_classes);
  }
  WEFT_KERNEL static ChoiceMemory take(Block& block, int classes, bool trains) {
    const int of_threads = trains ? block.threads() : 0, of_classes = trains ? classes : 0;
    ChoiceMemory memory;
    memory.best_score = block.shared<float>(block.threads());
    memory.best_class = block.shared<std::int32_t>(block.threads());
    memory.peaks = block.shared<transition::LossPeaks>(of_threads);
    memory.sums = block.shared<double>(of_threads);
    memory.loss = block.shared<float>(of_threads);
    memory.costs = block.shared<float>(of_classes);
    memory.all_terms = block.shared<double>(of_classes);
    memory.gold_terms = block.shared<double>(of_classes);
    return memory;
  }
};

}  // namespace weft::cuda
