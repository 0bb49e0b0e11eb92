// A log that MLflow opens: a run in a file store, which is a folder for each run with a file for
// each metric, parameter and tag.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/training/logger.h"

namespace weft {

struct MlflowOptions {
  std::filesystem::path folder;                   // the store
  std::optional<std::string> run_id = {};         // 32 lower-case hexadecimal digits
  std::optional<std::string> experiment_id = {};  // decimal digits; "0" is the default experiment
  std::optional<std::string> run_name = {};       // that of the output's folder, if none is given
  Object tags = {};
  std::vector<std::string> remove_config_values = {};  // see logged_config
  std::vector<std::string> log_custom_stats = {};      // patterns of names, see custom_stats.h
};

// Metrics of at most so many names have files.
inline constexpr std::size_t kMostMlflowMetrics = 2'000;

// A point of each metric for each evaluation, at the training step, under the names of
// logged_values; the expanded config as parameters, dotted, without `@`. Throws Error(config) at
// the start for an id that is none, Error(usage) for a run that is there already, Error(system).
WEFT_API Logger mlflow_log(MlflowOptions options);

}  // namespace weft
