#include "tests/tools/shell_line.h"

#include <cstdlib>

#include <sys/wait.h>

#include "tests/folders.h"

namespace weft::testing_tools {

Outcome run_line(const std::filesystem::path& folder, const std::string& line) {
  const std::string command = "cd '" + folder.string() + "' && export PATH='" + build_path("bin") +
                              "':\"$PATH\" && { " + line + "\n} >.out 2>.err </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder / ".out"),
          read_text(folder / ".err")};
}

}  // namespace weft::testing_tools
