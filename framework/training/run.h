// The moving parts of one training run; loop.cc puts them in order.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/trained_parameters.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/batches_ahead.h"
#include "framework/training/checkpoint.h"
#include "framework/training/evaluation_corpus.h"
#include "framework/training/logger.h"
#include "framework/training/memory_plan.h"
#include "framework/training/misaligned_report.h"
#include "framework/training/precision_session.h"
#include "framework/training/run_folder.h"
#include "framework/training/settings.h"
#include "framework/training/state.h"
#include "framework/training/step.h"

namespace weft {

// What a run is made of. All of it outlives the run.
struct TrainingPlan {
  Language& nlp;
  const TrainingSettings& settings;
  const Reader& train_corpus;
  const Reader& dev_corpus;
  WorkerPool& pool;
  RunFolder* folder = nullptr;             // null: nothing is saved
  std::function<bool()> interrupted = {};  // asked after every step and between examples
  const Checkpoint* resumed = nullptr;     // where it goes on; `nlp` is restored already
  const Node* resumed_log = nullptr;       // where the logs of a run stood that starts again
  std::function<void()> ready = {};        // called when all data is read, before a log is opened
  CheckpointSettings checkpoints = {};
  Object data = {};  // data_facts, for checkpoints
  MemoryPlan memory = {};
  bool precision_debug = false;  // see PrecisionSession::always_find_origin
  bool may_replace = false;      // files of loggers that are there already
  bool verbose = false;          // also say what is no more than of interest
};

class WEFT_API TrainingRun {
 public:
  // Reads the corpora and opens the log; goes on where the checkpoint says.
  TrainingRun(const TrainingPlan& plan, std::ostream& out, std::ostream& err, bool err_is_terminal);
  ~TrainingRun();

  const TrainingState& state() const { return state_; }
  PrecisionSession& precision() { return precision_; }
  Node log_position() { return log_->position(); }

  bool interrupted() const { return plan_.interrupted && plan_.interrupted(); }
  bool finished() const;  // patience or max_steps is used up
  bool take_batch();      // false at the end of the data
  void update();          // gradients of the batch, a step of the optimizer
  bool evaluation_is_due() const;
  // Scores, log, meta data; false, with nothing of it kept, where it was interrupted on the way.
  bool evaluate();
  void save_last_and_best();  // after an evaluation
  void save_last();           // as the last step left it
  bool checkpoint_is_due() const;
  void save_checkpoint();
  void save_diverged();  // the state before the batch that could not be trained on
  void close_log();

 private:
  std::int64_t last_step() const { return state_.step - 1; }
  void say(const Notice& notice);
  void say_whether_it_pays();
  void check_parameters();
  void describe_in_meta(const TrainingInfo& info);
  void resume();
  bool is_saved() const;
  void mark_saved();
  void write_checkpoint_of(const TrainingState& state, const std::filesystem::path& folder);
  TrainingInfo make_info(Scores scores) const;
  // Parameters and averages change places while `action` runs.
  void with_averages(const std::function<void()>& action);

  const TrainingPlan& plan_;
  TrainingState state_;
  TrainingState before_batch_;  // the state when the present batch was asked for
  OptimizerPtr optimizer_;
  ShardRunner runner_;
  std::ostream& err_;
  PrecisionSession precision_;
  TrainingStep step_;
  MisalignedReport train_misaligned_, dev_misaligned_;
  BatchesAhead batches_;
  EvaluationCorpus dev_;
  Object score_weights_;
  bool said_whether_it_pays_ = false;
  std::unique_ptr<LogSession> log_;
  std::vector<ExamplePtr> batch_;
  std::int64_t saved_step_ = -1;  // of the last checkpoint
  std::int64_t saved_epoch_ = 0;
  std::size_t saved_results_ = 0;
  std::chrono::steady_clock::time_point saved_at_;
};

}  // namespace weft
