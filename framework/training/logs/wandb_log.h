// A log for Weights & Biases: an offline run, which `wandb sync` uploads.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/training/logger.h"

namespace weft {

struct WandbOptions {
  std::filesystem::path folder;  // runs lie there as offline-run-DATE-ID
  std::string project;
  std::optional<std::string> entity = {};
  std::optional<std::string> run_name = {};
  std::vector<std::string> remove_config_values = {};  // see logged_config
  std::vector<std::string> log_custom_stats = {};      // patterns of names, see custom_stats.h
};

// A row for each evaluation, at the training step, with the names that spaCy gives them: `score`,
// `loss_COMPONENT`, scores as they are nested; beside them those of logged_values. Throws
// Error(config) at the start for a name of a project that W&B would refuse, Error(system).
WEFT_API Logger wandb_log(WandbOptions options);

}  // namespace weft
