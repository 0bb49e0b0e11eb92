// Names separated by commas, as options take them.
#pragma once

#include <string>
#include <vector>

namespace weft::tools {

// Blanks and empty names are left out.
std::vector<std::string> split_names(const std::string& text);

}  // namespace weft::tools
