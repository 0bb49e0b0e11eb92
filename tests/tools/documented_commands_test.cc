// The commands of the pages for users are those that work: each block of a page is run by a shell,
// one after the other, in a folder with a config and data.
#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/folders.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> shell_blocks(const std::string& page) {
  std::vector<std::string> blocks;
  const std::string text = read_text(fs::path(source_path("docs")) / page);
  const std::string fence = "\n```sh\n";
  for (std::size_t at = text.find(fence); at != text.npos; at = text.find(fence, at)) {
    at += fence.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

class DocumentedCommands : public TrainingFolder, public testing::WithParamInterface<const char*> {
 protected:
  // Runs the block as a script that ends at its first command that fails.
  Outcome run(const std::string& block) const {
    write_text(folder_ / "block.sh", block);
    const std::string command = "cd '" + folder_.string() + "' && PATH='" + build_path("bin") +
                                "':\"$PATH\" sh -e block.sh > block.out 2> block.err < /dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder_ / "block.out"),
            read_text(folder_ / "block.err")};
  }
};

TEST_P(DocumentedCommands, Work) {
  write_text(folder_ / "test.conll", small_corpus(7));
  const std::vector<std::string> blocks = shell_blocks(GetParam());
  ASSERT_GE(blocks.size(), 3u);
  for (const std::string& block : blocks) {
    const Outcome outcome = run(block);
    ASSERT_EQ(outcome.code, 0) << block << outcome.out << outcome.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, DocumentedCommands,
                         testing::Values("long-runs.md", "experiments.md"), [](const auto& page) {
                           std::string name = page.param;
                           name = name.substr(0, name.find('.'));
                           std::erase_if(name, [](char c) { return c == '-'; });
                           return name;
                         });

}  // namespace
}  // namespace weft::testing_tools
