#include "tests/tools/command_names.h"

namespace weft::testing_tools {

std::vector<std::string> command_names(const std::string& help) {
  std::vector<std::string> names;
  for (std::size_t at = help.find("\n  "); at != help.npos; at = help.find("\n  ", at + 1)) {
    const std::string line = help.substr(at + 3, help.find('\n', at + 1) - at - 3);
    if (const auto end = line.find("  "); end != line.npos && line[0] != '-') {
      names.push_back(line.substr(0, end));
    }
  }
  return names;
}

}  // namespace weft::testing_tools
