// The whole of `train`: from a config to a trained pipeline.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include "framework/pipeline/language.h"
#include "framework/training/run_end.h"
#include "framework/training/state.h"
#include "framework/training/train_options.h"
#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

struct TrainedPipeline {
  std::shared_ptr<Language> nlp;
  TrainingState state;
  RunEnd end = RunEnd::interrupted;
  std::string how_it_ended = {};   // describe_end; "" of a dry run
  std::string lost_too_much = {};  // see Rehearsal::lost_too_much and RehearsalSettings::max_drop
};

// `config` is filled and keeps its variables. Builds and initialises the pipeline, trains it as
// [training] says, and writes what run_folder.h lists below the output. With a checkpoint it goes
// on from there instead; the config may differ from that of the checkpoint where
// check_resumed_config allows it. Throws as build_pipeline, initialize_pipeline, train and
// read_checkpoint do; Error(config) for settings that cannot change, Error(data) for other data. On
// several ranks all call it: rank 0 alone writes and prints; PeerLost where one of them is gone.
WEFT_API TrainedPipeline train_pipeline(const Config& config, const Catalogue& catalogue,
                                        const TrainOptions& options, std::ostream& out,
                                        std::ostream& err);

}  // namespace weft
