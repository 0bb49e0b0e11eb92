// Every config of tests/configs/errors/validation is refused with the messages that stand beside
// it. WEFT_UPDATE_EXPECTED=1 writes them anew, to be read before they are kept.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"
#include "tests/folders.h"
#include "tests/registry/sample.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = source_path("tests/configs/errors/validation");

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".cfg") found.push_back(entry.path().stem());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

class BrokenValidation : public testing::TestWithParam<std::string> {};

TEST_P(BrokenValidation, SaysWhatIsWrong) {
  const fs::path file = kFolder / (GetParam() + ".cfg");
  Problems problems;
  const Config config = read_cfg(text_of(file), file.filename().string(), problems);
  if (!has_errors(problems)) {
    EXPECT_FALSE(resolve(config, sample::catalogue(), sample::schemas(), problems).has_value());
  }
  EXPECT_TRUE(has_errors(problems));
  const fs::path expected = kFolder / (GetParam() + ".expected");
  if (std::getenv("WEFT_UPDATE_EXPECTED") != nullptr) {
    std::ofstream(expected) << sample::shown(problems);
  }
  EXPECT_EQ(sample::shown(problems), text_of(expected));
}

INSTANTIATE_TEST_SUITE_P(Files, BrokenValidation, testing::ValuesIn(names()),
                         [](const auto& tested) { return tested.param; });

TEST(BrokenValidationFolder, IsThere) {
  EXPECT_GE(names().size(), 30u);
}

}  // namespace
}  // namespace weft
