// Opens what a run goes on from.
#pragma once

#include <filesystem>

#include "framework/training/checkpoint.h"
#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

struct ResumedRun {
  Checkpoint checkpoint;
  Config config;  // of the run from now on: filled, variables kept
  std::filesystem::path folder;
};

// Reads a checkpoint and lays `config` (filled, variables kept) over the run's own. Throws
// Error(config) for settings that cannot change, and as read_checkpoint does.
WEFT_API ResumedRun open_checkpoint(const std::filesystem::path& folder, const Config& config,
                                    const Catalogue& catalogue);

}  // namespace weft
