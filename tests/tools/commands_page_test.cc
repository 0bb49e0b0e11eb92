// docs/commands.md has the help text of every command. WEFT_UPDATE_REFERENCE=1 writes it anew.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/tools/command_names.h"
#include "tests/tools/program.h"
#include "tests/tools/shell_line.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

std::string page() {
  std::string text =
      "# Commands\n\nGenerated from the program: `weft COMMAND --help` prints the same.\n";
  for (const std::string& name : command_names(run_weft({"--help"}).out)) {
    const Outcome help = run_line(fresh_folder(), "weft " + name + " --help");
    EXPECT_EQ(help.code, 0) << name;
    text += "\n## weft " + name + "\n\n```text\n" + help.out + "```\n";
  }
  return text;
}

TEST(CommandsPage, HasTheHelpOfEveryCommand) {
  const fs::path file = source_path("docs/commands.md");
  const std::string now = page();
  if (std::getenv("WEFT_UPDATE_REFERENCE") != nullptr) write_text(file, now);
  EXPECT_TRUE(read_text(file) == now)
      << file << " is stale: run tools_tests with WEFT_UPDATE_REFERENCE=1";
  std::istringstream lines(now);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 120u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

}  // namespace
}  // namespace weft::testing_tools
