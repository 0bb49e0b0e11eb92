// A log that TensorBoard opens: an event file, a TFRecord file of protobuf messages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/training/logger.h"

namespace weft {

struct TensorBoardOptions {
  std::filesystem::path folder;  // of this run alone; the one above it is that of `--logdir`
  std::vector<std::string> remove_config_values = {};  // see logged_config
  std::vector<std::string> log_custom_stats = {};      // patterns of names, see custom_stats.h
  bool histograms = false;  // also how the numbers of each parameter are distributed
};

// Scalars for each evaluation, at the training step: `score`, `loss/COMPONENT`, `scores/NAME` with
// the names of types behind further slashes, `speed/…`, `optimizer/learn_rate`, `progress/…`. The
// config is a text, its settings are the hyperparameters of the run. Throws Error(usage) at the
// start for a folder that has such a log already, Error(system).
WEFT_API Logger tensorboard_log(TensorBoardOptions options);

}  // namespace weft
