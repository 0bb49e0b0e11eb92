// A command of the program: one file each, listed in commands.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::tools {

using Words = std::vector<std::string>;

struct Command {
  std::string_view name;     // "train", "init config"
  std::string_view summary;  // one line for the list of commands
  // Gets the words behind the name; gives the exit code. Errors are thrown.
  int (*run)(const Words& words);
};

// All commands, in the order of `weft --help`.
const std::vector<Command>& commands();

}  // namespace weft::tools
