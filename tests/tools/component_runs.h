// Small runs of the example configs: one for each component that learns, alone or together with
// others, on the corpora of the project.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/tools/small_runs.h"

namespace weft::testing_tools {

// Writes complete configs, filled by `weft debug config`, into `folder`. `overrides` go on the
// command line of all of them.
std::vector<SmallRun> write_component_runs(const std::filesystem::path& folder,
                                           const std::vector<std::string>& overrides = {});

}  // namespace weft::testing_tools
