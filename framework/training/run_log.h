// The log.jsonl of a run, read again: its last evaluation and its best.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct LoggedEvaluation {
  std::int64_t epoch = 0;
  std::int64_t step = 0;
  double score = 0.0;
  Object scores = {};  // fractions
  Object losses = {};
  std::int64_t words = 0;  // trained on since the start
  double seconds = 0.0;    // of training since the start
  double words_per_second = 0.0;
  std::string date = {};
};

// Nothing for a line that is none of a log, such as one whose end was never written.
WEFT_API std::optional<LoggedEvaluation> parse_logged(std::string_view line);

struct RunLog {
  std::int64_t evaluations = 0;
  std::optional<LoggedEvaluation> best;  // the first with the highest score
  std::optional<LoggedEvaluation> last;
};

// Empty where there is no such file. Throws Error(system), and Error(data) for a line of more than
// 64 MiB.
WEFT_API RunLog read_run_log(const std::filesystem::path& file);

}  // namespace weft
