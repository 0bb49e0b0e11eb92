// The outcome of a run, from the folder that it wrote (run_folder.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "framework/training/run_log.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct RunSummary {
  std::filesystem::path folder;
  Config config;  // variables replaced
  RunLog log;
  // Of the last part of the run, as manifest.h has it.
  std::string ended;     // "" while it runs, and where it was killed
  std::string message;   // of the error that ended it, or of another
  bool goes_on = false;  // a process writes there
  std::string started, finished;
  std::int64_t threads = 0;
  std::int64_t parts = 0;   // from start or checkpoint to an end
  std::int64_t steps = -1;  // updates made; negative: not known
  bool has_checkpoint = false;
};

// Whether a run has begun to write there: a folder with run.json and no pipeline's meta.json.
WEFT_API bool is_run_folder(const std::filesystem::path& folder);

// Throws Error(usage) where no run wrote, Error(config) for a config that is broken.
WEFT_API RunSummary read_run(const std::filesystem::path& folder);

// The same for people and programs: state, best and last evaluation, time, config.
WEFT_API Object describe_run(const RunSummary& run);

}  // namespace weft
