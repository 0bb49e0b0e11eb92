// The moving parts of one training run; loop.cc puts them in order.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/updater.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/batches.h"
#include "framework/training/logger.h"
#include "framework/training/settings.h"
#include "framework/training/state.h"
#include "framework/training/trained_parameters.h"

namespace weft {

// What a run is made of. All of it outlives the run.
struct TrainingPlan {
  Language& nlp;
  const TrainingSettings& settings;
  const Reader& train_corpus;
  const Reader& dev_corpus;
  WorkerPool& pool;
  std::filesystem::path output = {};       // "": nothing is saved
  std::function<bool()> interrupted = {};  // asked after every step
};

class WEFT_API TrainingRun {
 public:
  // Reads the corpora, opens the log, removes pipelines of an earlier run from the output.
  TrainingRun(const TrainingPlan& plan, std::ostream& out, std::ostream& err, bool err_is_terminal);
  ~TrainingRun();

  const TrainingState& state() const { return state_; }

  bool take_batch();  // false at the end of the data
  void update();      // gradients of the batch, a step of the optimizer
  bool evaluation_is_due() const;
  void evaluate();            // scores, log, meta data
  void save_last_and_best();  // after an evaluation
  bool finished() const;      // patience or max_steps is used up, or somebody interrupted
  void next_step() { ++state_.step; }
  void save_last();  // as the last step left it
  void close_log();

 private:
  std::vector<ExamplePtr> sorted_batch() const;
  void describe_in_meta(const TrainingInfo& info);
  void save(const std::string& name);
  TrainingInfo make_info(Scores scores) const;
  // Parameters and averages change places while `action` runs.
  void with_averages(const std::function<void()>& action);

  const TrainingPlan& plan_;
  TrainingState state_;
  OptimizerPtr optimizer_;
  Updater updater_;
  TrainingBatches batches_;
  std::vector<Example> dev_;
  Object score_weights_;
  std::unique_ptr<LogSession> log_;
  std::vector<ExamplePtr> batch_;
};

}  // namespace weft
