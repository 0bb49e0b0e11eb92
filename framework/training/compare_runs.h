// Runs side by side: their scores, the settings in which they differ, their time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/training/run_summary.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// A setting that is not the same in all runs.
struct DifferingSetting {
  std::string path;
  std::vector<std::string> values;  // as JSON, one for each run; "" where a run has none
};
WEFT_API std::vector<DifferingSetting> differing_settings(std::span<const RunSummary> runs);

// Runs with the same settings but for their seeds.
struct SeedGroup {
  std::vector<std::size_t> runs;
  double mean = 0.0;       // of the best scores
  double deviation = 0.0;  // their standard deviation, of a sample
};
WEFT_API std::vector<SeedGroup> seed_groups(std::span<const RunSummary> runs);

// Three tables: scores of the best evaluation and time, settings, means over seeds.
WEFT_API std::string compare_text(std::span<const RunSummary> runs);
WEFT_API Object compare_object(std::span<const RunSummary> runs);

}  // namespace weft
