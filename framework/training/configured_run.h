// A run as its config says it: read, expanded and checked, before any corpus or pipeline is opened.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "framework/training/resume.h"
#include "framework/training/train_options.h"
#include "framework/training/training_settings.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

struct ConfiguredRun {
  std::optional<ResumedRun> resumed;  // where the run goes on, if it does
  Config config;                      // filled, with its variables: of the run from now on
  Config shared;                      // the same expanded, as all ranks have it
  Config values;                      // that with the files of this rank's loggers in their places
  std::vector<std::filesystem::path> logs_below;  // those files, relative to the output
  TrainingSettings settings;                      // a rank that is not the root logs nothing
};

// `config` is filled and keeps its variables. Throws as open_checkpoint does, and Error(config) for
// settings that no run, or not this one, can have.
ConfiguredRun configure_run(const Config& config, const Catalogue& catalogue,
                            const TrainOptions& options, bool is_root);

}  // namespace weft
