// The log that people read: a table on the output stream, and on request the same as JSON lines in
// a file.
#pragma once

#include <filesystem>
#include <optional>

#include "framework/training/logger.h"

namespace weft {

struct ConsoleLogOptions {
  ProgressTarget progress = ProgressTarget::unsaid;
  bool table = true;
  // JSON lines with epoch, step, losses, scores (per cents), score. Left alone if it exists
  // already, with a line that says so.
  std::optional<std::filesystem::path> file;
};

// Throws Error(system) at the start of a run whose file cannot be written.
WEFT_API Logger console_log(ConsoleLogOptions options);

}  // namespace weft
