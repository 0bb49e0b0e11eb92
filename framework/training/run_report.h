// The facts of a run as its loggers, its progress line and the pipeline's meta data get them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>

#include "framework/training/logger.h"
#include "framework/training/misaligned_report.h"
#include "framework/training/run_progress.h"
#include "framework/training/state.h"
#include "framework/training/training_setup.h"
#include "registry/base/export.h"

namespace weft {

WEFT_API LogSetup log_setup(const TrainingSetup& setup, std::ostream& out, std::ostream& err,
                            bool err_is_terminal);

// Where the run stands. Its end is the last step that a limit allows: max_steps, or as many as the
// passes so far let expect of max_epochs; without either, patience. `documents`: trained on in the
// present pass, of `held` that a pass has (0: unknown).
WEFT_API RunStand run_stand(const TrainingSettings& settings, const TrainingState& state,
                            std::int64_t documents, std::size_t held);

// An evaluation, whose score is the last result of the state. The learn rate and the precision's
// line are the caller's to add.
WEFT_API TrainingInfo evaluation_info(const TrainingState& state, Scores scores);

// Entities that do not fall on tokens, by corpus; of corpora that have any.
WEFT_API Object misaligned_counts(const TrainingSettings& settings, const MisalignedReport& train,
                                  const MisalignedReport& dev);

// Writes scores and losses into the meta data of the pipeline.
WEFT_API void describe_in_meta(Language& nlp, const Object& score_weights, const Scores& scores,
                               const Losses& losses);

}  // namespace weft
