#include "framework/training/loop.h"

#include "registry/error.h"

namespace weft {
namespace {

// Step k = 0, 1, 2 ...: an update; where k is a multiple of the frequency, the first step included,
// an evaluation with its saves; then the limits are looked at. So `max_steps` = n makes n + 1
// updates.
void run_steps(TrainingRun& run) {
  while (run.take_batch()) {
    run.update();
    if (run.evaluation_is_due()) {
      run.evaluate();
      run.save_last_and_best();
    }
    if (run.finished()) return;
    run.next_step();
  }
}

bool may_save(const Error& error) {
  return error.kind() != ErrorKind::diverged && error.kind() != ErrorKind::memory;
}

}  // namespace

TrainingState train(const TrainingPlan& plan, std::ostream& out, std::ostream& err,
                    bool err_is_terminal) {
  TrainingRun run(plan, out, err, err_is_terminal);
  try {
    run_steps(run);
  } catch (const Error& error) {
    run.close_log();
    if (may_save(error)) run.save_last();
    throw;
  }
  run.close_log();
  run.save_last();
  return run.state();
}

}  // namespace weft
