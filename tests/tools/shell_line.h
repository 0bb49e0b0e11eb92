// Runs a line as it stands in a document or a help text.
#pragma once

#include <filesystem>
#include <string>

#include "tests/tools/program.h"

namespace weft::testing_tools {

// By the shell in `folder`, with the built program as `weft`.
Outcome run_line(const std::filesystem::path& folder, const std::string& line);

}  // namespace weft::testing_tools
