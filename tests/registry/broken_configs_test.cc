// The broken configs of tests/configs/errors/reading: mistakes that reading finds.
//
// The comment lines at the top of a file are the expected problems, one a line and in order, as
// Problem::str() shows them with the file's name without folders; warnings start with `warning: `.
// Lines `#! NAME: VALUE` among them say how the file is used:
//   #! overrides: WORDS      words of the command line
//   #! environment: WORDS    the value of SPACY_CONFIG_OVERRIDES
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "registry/overrides/overrides.h"
#include "registry/reading/cfg_reader.h"
#include "tests/folders.h"

namespace weft {
namespace {

const std::filesystem::path kFolder = source_path("tests/configs/errors/reading");

struct BrokenConfig {
  std::filesystem::path path;
  std::vector<std::string> expected;
  std::map<std::string, std::string> uses;

  std::string use(const std::string& name) const {
    const auto found = uses.find(name);
    return found == uses.end() ? std::string() : found->second;
  }
};

BrokenConfig load_broken_config(const std::filesystem::path& path) {
  BrokenConfig broken{path, {}, {}};
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (!line.starts_with('#')) break;
    const auto colon = line.find(": ");
    if (line.starts_with("#! ") && colon != line.npos) {
      broken.uses[line.substr(3, colon - 3)] = line.substr(colon + 2);
    } else {
      broken.expected.push_back(line.substr(2));
    }
  }
  return broken;
}

// All files, in order.
std::vector<BrokenConfig> broken_configs() {
  std::vector<BrokenConfig> found;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    found.push_back(load_broken_config(entry.path()));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return found;
}

// Reads the file with its overrides.
void read_broken_config(const BrokenConfig& broken, Problems& problems) {
  ReadOptions options;
  options.overrides =
      collect_overrides(split_words(broken.use("overrides")).words,
                        {{"SPACY_CONFIG_OVERRIDES", broken.use("environment")}}, problems);
  read_config_file(broken.path, problems, options);
}

// The problems as the files' first lines show them.
std::vector<std::string> shown_problems(const BrokenConfig& broken, const Problems& problems) {
  const std::string folder = broken.path.parent_path().string() + "/";
  std::vector<std::string> lines;
  for (const Problem& problem : problems) {
    std::string line = problem.severity == Severity::warning ? "warning: " : "";
    line += problem.str();
    for (auto at = line.find(folder); at != line.npos; at = line.find(folder)) {
      line.erase(at, folder.size());
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

TEST(BrokenConfigsTest, ReadingReportsWhatEachFileSays) {
  const std::vector<BrokenConfig> files = broken_configs();
  EXPECT_GE(files.size(), 60U);
  for (const BrokenConfig& broken : files) {
    Problems problems;
    read_broken_config(broken, problems);
    EXPECT_THAT(shown_problems(broken, problems), testing::ElementsAreArray(broken.expected))
        << broken.path;
    EXPECT_FALSE(broken.expected.empty()) << broken.path;
  }
}

}  // namespace
}  // namespace weft
