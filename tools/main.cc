// The program.
#include <algorithm>
#include <csignal>
#include <string>

#include "tools/run_program.h"

namespace {

using weft::tools::Command;
using weft::tools::Words;

// The program's own name stands for a command where it is one: `train`, `evaluate` ...
Words words_of(int argc, char** argv) {
  Words words(argv + 1, argv + argc);
  const std::string path = argc > 0 ? argv[0] : "";
  const std::string own = path.substr(path.rfind('/') + 1);
  const auto& commands = weft::tools::commands();
  const bool is_command = std::any_of(commands.begin(), commands.end(),
                                      [&](const Command& command) { return command.name == own; });
  if (is_command) words.insert(words.begin(), own);
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe is an error of the stream; a file beyond its limit (ulimit -f), one of the file.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // A parent that ignores it passes that on, and the ends of our own processes would be lost.
  std::signal(SIGCHLD, SIG_DFL);
  return weft::tools::run_program(words_of(argc, argv));
}
