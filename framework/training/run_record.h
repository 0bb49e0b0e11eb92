// The record that a run keeps of itself in its folder: config.cfg, and run.json with one part for
// each process that took the run some steps further.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "framework/training/manifest.h"
#include "framework/training/resume.h"
#include "framework/training/run.h"
#include "framework/training/run_folder.h"
#include "framework/training/train_options.h"
#include "framework/training/training_setup.h"
#include "registry/base/error.h"
#include "registry/value/config.h"

namespace weft {

// Makes the folder ready for this run: what an earlier one left is removed, but for a run that goes
// on, to which the files of its checkpoint's folder belong (`logs_below`: those of loggers,
// relative to it). Gives where the logs stood when a run that is started again began, or null.
Node begin_folder(RunFolder& folder, const TrainOptions& options,
                  const std::optional<ResumedRun>& resumed,
                  const std::vector<std::filesystem::path>& logs_below);

// Writes the config and the manifest, once everything is read and the logs are open.
void describe_run(const RunFolder& folder, const Config& config, TrainingRun& run,
                  const TrainingSetup& setup, const TrainOptions& options);

// This process's part of the run, as the manifest tells of it.
class PartOfRun {
 public:
  explicit PartOfRun(const TrainingSetup& setup) : setup_(setup) {}

  void begin();
  // Nothing is written of a part that has not begun, or of a run without a folder. `message` tells
  // of something that went wrong and did not end the run.
  void end(std::string_view why, std::int64_t to_step, std::string_view message) const;
  // The same for an error that is on its way, with its message: where standard error cannot be
  // written to, nothing else tells of it. None is thrown of the manifest's own.
  void fail(const Error& error) const;

 private:
  void write_end(const PartEnd& end) const;

  const TrainingSetup& setup_;
  bool has_begun_ = false;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace weft
