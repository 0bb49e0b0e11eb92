// Training: updates, evaluations and saves until a limit is reached.
#pragma once

#include "framework/training/run.h"

namespace weft {

struct FinishedRun {
  TrainingState state;
  RunEnd end = RunEnd::interrupted;
};

// Trains to the end of the run; the pipeline holds the parameters of the last step then. Throws
// Error(data) for an unreadable or empty corpus, Error(diverged) where a loss or a gradient is no
// number. However the run ends, `model-last` is written with what the last complete step left,
// unless that diverged, memory or the system failed, or, with averages, one of several ranks did;
// where it ends in order, or is interrupted, so is a checkpoint. Where it ends in order between two
// evaluations, the scores of the last step are put into the meta data of `model-last`. `started` is
// called before the first step, once everything is read.
WEFT_API FinishedRun train(const TrainingSetup& setup, std::ostream& out, std::ostream& err,
                           bool err_is_terminal,
                           const std::function<void(TrainingRun&)>& started = {});

}  // namespace weft
