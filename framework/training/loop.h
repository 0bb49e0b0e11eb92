// Training: updates, evaluations and saves until a limit is reached.
#pragma once

#include "framework/training/run.h"

namespace weft {

// Runs the plan to its end; the pipeline holds the parameters of the last step then. Throws
// Error(data) for an unreadable or empty corpus, Error(diverged) where a loss or a gradient is no
// number. Whatever ends the run, `model-last` is written with what the last complete step left,
// unless that diverged or cannot be written; where it ends in order, or is interrupted, so is a
// checkpoint. `started` is called before the first step, once everything is read.
WEFT_API TrainingState train(const TrainingPlan& plan, std::ostream& out, std::ostream& err,
                             bool err_is_terminal,
                             const std::function<void(TrainingRun&)>& started = {});

}  // namespace weft
