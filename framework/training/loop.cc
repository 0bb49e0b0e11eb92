#include "framework/training/loop.h"

#include <exception>
#include <new>

#include "registry/base/error.h"

namespace weft {
namespace {

// Step k = 0, 1, 2 ...: an update; where k is a multiple of the frequency, the first step included,
// an evaluation with its saves; then the limits are looked at. So `max_steps` = n makes n + 1
// updates. The next action depends on the state alone: a run that was interrupted between an update
// and its evaluation goes on with the evaluation.
RunEnd run_steps(TrainingRun& run) {
  while (!run.interrupted()) {
    if (run.evaluation_is_due()) {
      if (!run.evaluate()) return RunEnd::interrupted;
      run.save_last_and_best();
      run.save_checkpoint();
    } else if (run.checkpoint_is_due()) {
      run.save_checkpoint();
    }
    if (const auto end = run.limit_reached()) return *end;
    if (run.interrupted()) return RunEnd::interrupted;
    if (!run.take_batch()) {
      return run.interrupted_at_end() ? RunEnd::interrupted : RunEnd::max_epochs;
    }
    run.update();
  }
  return RunEnd::interrupted;
}

// The checkpoint knows nothing of the scores of the last step, or a run that goes on from it would
// differ from one that never ended there. A signal is answered without delay.
void save_end(TrainingRun& run, RunEnd end) {
  if (end == RunEnd::interrupted) {
    run.save_last();
    run.save_checkpoint();
  } else {
    run.save_checkpoint();
    run.score_last();
    run.save_last();
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
// A run that diverged leaves the state before the step, to be looked at. Without memory or disk
// nothing is tried: a broken write could cost the files that are sound.
void salvage(TrainingRun& run, ErrorKind kind) {
  quietly([&] { run.close_log(LogEnd::failed); });
  if (kind == ErrorKind::diverged) {
    quietly([&] { run.save_diverged(); });
  } else if (kind != ErrorKind::memory && kind != ErrorKind::system) {
    quietly([&] { run.save_last(); });
  }
}

void give_up(TrainingRun& run, const TrainingSetup& setup, const Error& error) {
  if (setup.ranks != nullptr) setup.ranks->fail(error);
  salvage(run, error.kind());
}

}  // namespace

FinishedRun train(const TrainingSetup& setup, std::ostream& out, std::ostream& err,
                  bool err_is_terminal, const std::function<void(TrainingRun&)>& started) {
  TrainingRun run(setup, out, err, err_is_terminal);
  RunEnd end = RunEnd::interrupted;
  try {
    if (started) started(run);
    run.score_before();
    end = run_steps(run);
    save_end(run, end);
  } catch (const Error& error) {
    give_up(run, setup, error);
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of a plugin: the run is saved for it too
    const Error failure(ErrorKind::internal, error.what());
    give_up(run, setup, failure);
    throw failure;
  }
  run.close_log(end == RunEnd::interrupted ? LogEnd::interrupted : LogEnd::finished);
  return {run.state(), end};
}

}  // namespace weft
