#include "framework/training/loop.h"

#include "registry/base/error.h"

namespace weft {
namespace {

// Step k = 0, 1, 2 ...: an update; where k is a multiple of the frequency, the first step included,
// an evaluation with its saves; then the limits are looked at. So `max_steps` = n makes n + 1
// updates. What comes next depends on the state alone: a run that was interrupted between an update
// and its evaluation goes on with the evaluation.
void run_steps(TrainingRun& run) {
  while (!run.interrupted()) {
    if (run.evaluation_is_due()) {
      if (!run.evaluate()) return;
      run.save_last_and_best();
      run.save_checkpoint();
    } else if (run.checkpoint_is_due()) {
      run.save_checkpoint();
    }
    if (run.finished() || run.interrupted() || !run.take_batch()) return;
    run.update();
  }
}

void quietly(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception&) {
    // The error that is on its way already says more.
  }
}

// Saves what can be saved after an error.
void salvage(TrainingRun& run, ErrorKind kind) {
  quietly([&] { run.close_log(); });
  if (kind == ErrorKind::diverged) {
    quietly([&] { run.save_diverged(); });
  } else if (kind != ErrorKind::memory && kind != ErrorKind::system) {
    quietly([&] { run.save_last(); });
  }
}

}  // namespace

TrainingState train(const TrainingPlan& plan, std::ostream& out, std::ostream& err,
                    bool err_is_terminal, const std::function<void(TrainingRun&)>& started) {
  TrainingRun run(plan, out, err, err_is_terminal);
  try {
    if (started) started(run);
    run_steps(run);
    run.save_last();
    run.save_checkpoint();
  } catch (const Error& error) {
    salvage(run, error.kind());
    throw;
  }
  run.close_log();
  return run.state();
}

}  // namespace weft
