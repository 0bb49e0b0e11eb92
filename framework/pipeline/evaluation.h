// Scores of a pipeline on examples that come one by one: a few thousand tokens are in memory at a
// time. The scores are those of all of them at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/prediction_groups.h"
#include "framework/pipeline/scores.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API Evaluation {
 public:
  // Both outlive the evaluation.
  Evaluation(const Language& nlp, WorkerPool& pool);
  ~Evaluation();

  void add(Example example);
  // Several at once, whose predicted documents are annotated in place.
  void annotate(std::span<Example> examples);
  // The scores of the tokenizer and of every component, and `speed` in words per second of
  // prediction.
  Scores finish();

 private:
  void flush();

  const Language& nlp_;
  WorkerPool& pool_;
  std::vector<ScoreSessionPtr> sessions_;
  PredictionGroups groups_;
  std::vector<Example> waiting_;  // whole groups, and the one that is not full yet
  std::size_t waiting_tokens_ = 0;
  std::size_t words_ = 0;
  double seconds_ = 0.0;
};

}  // namespace weft
