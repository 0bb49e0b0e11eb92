// The commands of the program.
#pragma once

#include <string>
#include <vector>

namespace weft::testing_tools {

// Those in the list that `weft --help` prints: "train", "debug config".
std::vector<std::string> command_names(const std::string& help);

}  // namespace weft::testing_tools
