// docs/gemm.md says which kernel runs when: it names every file of the products' folder, no file
// that is not there, and every environment variable that they read.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/folders.h"

namespace {

namespace fs = std::filesystem;

const fs::path root = weft::source_path();
const fs::path folder = root / "framework/backends/cpu/gemm";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Each match of the first group.
std::set<std::string> found_in(const std::string& text, const std::string& pattern) {
  const std::regex one(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), one), end; at != end; ++at) {
    found.insert((*at)[1]);
  }
  return found;
}

TEST(GemmPage, NamesFilesThatAreThere) {
  const std::set<std::string> named =
      found_in(text_of(root / "docs/gemm.md"), "`([\\w/]+\\.(?:h|cc))`");
  EXPECT_GT(named.size(), 10U);
  for (const std::string& name : named) {
    const bool is_path = name.find('/') != std::string::npos;
    EXPECT_TRUE(fs::is_regular_file((is_path ? root : folder) / name)) << name;
  }
}

TEST(GemmPage, NamesEveryKernel) {
  const std::string page = text_of(root / "docs/gemm.md");
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string stem = "`" + entry.path().stem().string() + ".";
    EXPECT_NE(page.find(stem), std::string::npos) << entry.path();
  }
}

TEST(GemmPage, NamesEveryEnvironmentVariable) {
  const std::string page = text_of(root / "docs/gemm.md");
  std::set<std::string> read;
  for (const auto& entry : fs::directory_iterator(folder)) {
    read.merge(found_in(text_of(entry.path()), "(?:getenv|ScopedVariable \\w+)\\(\"(\\w+)\""));
  }
  EXPECT_GE(read.size(), 3U);
  for (const std::string& variable : read) {
    EXPECT_NE(page.find("`" + variable), std::string::npos) << variable;
  }
}

}  // namespace
