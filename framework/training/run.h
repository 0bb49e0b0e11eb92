// The moving parts of one training run; loop.cc puts them in order.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/shard_runner.h"
#include "framework/training/batches_ahead.h"
#include "framework/training/evaluation_corpus.h"
#include "framework/training/growing_loss.h"
#include "framework/training/logger.h"
#include "framework/training/misaligned_report.h"
#include "framework/training/precision_session.h"
#include "framework/training/run_end.h"
#include "framework/training/state.h"
#include "framework/training/step.h"
#include "framework/training/training_setup.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API TrainingRun {
 public:
  // Reads the corpora and opens the log; goes on where the checkpoint says.
  TrainingRun(const TrainingSetup& setup, std::ostream& out, std::ostream& err,
              bool err_is_terminal);
  ~TrainingRun();

  const TrainingState& state() const { return state_; }
  PrecisionSession& precision() { return precision_; }
  Node log_position() { return log_->position(); }

  bool interrupted() { return ranks_.interrupted(is_interrupted_here(), meets()); }
  // At the end of the data, where all ranks meet: whether one was interrupted.
  bool interrupted_at_end() {
    return !ranks_.in_step() && ranks_.interrupted(is_interrupted_here(), true);
  }
  // Where patience or max_steps is used up.
  std::optional<RunEnd> limit_reached() const;
  bool take_batch();    // false at the end of the data
  void score_before();  // for the table of a rehearsal, once
  void update();        // gradients of the batch, a step of the optimizer
  bool evaluation_is_due() const;
  // Scores, log, meta data; false, with nothing of it kept, where it was interrupted on the way.
  bool evaluate();
  void save_last_and_best();  // after an evaluation
  void save_last();           // as the last step left it
  // Scores the last step where no evaluation did, for the meta data of `model-last` and the table
  // of a rehearsal alone: neither log nor state know of it.
  void score_last();
  Losses losses_of_all() const;
  bool checkpoint_is_due() const;
  void save_checkpoint();
  void save_diverged();  // the state before the batch that could not be trained on
  void close_log(LogEnd end);

 private:
  using Clock = std::chrono::steady_clock;
  // Where the run stood when its last checkpoint was written.
  struct Saved {
    std::int64_t step = -1;
    std::int64_t epoch = 0;
    std::size_t results = 0;
    Clock::time_point at = Clock::now();
  };

  bool is_interrupted_here() const { return setup_.interrupted && setup_.interrupted(); }
  std::int64_t last_step() const { return state_.step - 1; }
  void resume();
  // Whether all ranks do something together next.
  bool meets() const;
  bool is_step_to_save() const;
  bool is_evaluated() const;
  // Nothing where it was interrupted on the way.
  std::optional<Scores> scores();
  std::optional<Scores> scores_here();
  // Before an evaluation or a save: nothing is being read, and the parameters are numbers.
  void wait_and_check();
  // Before they are looked at.
  void bring_weights_up_to_date();
  // Parameters and averages change places while `action` runs.
  void with_averages(const std::function<void()>& action);
  std::function<Losses()> rehearsal();
  double learn_rate() const;  // of the last step that was applied
  void say(const Notice& notice);
  void say_whether_it_pays();
  void warn_of_unknown_scores(const Scores& scores);
  void warn_of_growing_loss();
  void warn_of_stale(const GradientCounts& counts);
  // ---- run_saving.cc
  bool is_saved() const;
  void mark_saved();
  using OptimizerStates = std::map<std::string, OptimizerState>;
  void write_checkpoint_of(const TrainingState& state, OptimizerStates optimizer,
                           const std::filesystem::path& folder);

  const TrainingSetup& setup_;
  RunRanks& ranks_;
  bool saves_ = false;  // to the folder of rank 0
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
  LossHistory loss_history_;
  std::int64_t documents_in_pass_ = 0;  // of the present pass, trained on
  bool said_whether_it_pays_ = false, warned_of_stale_ = false, knows_scores_ = false;
  std::unique_ptr<LogSession> log_;
  std::vector<ExamplePtr> batch_;
  Saved saved_;
};

}  // namespace weft
