// Lines of documents are at most 120 characters long, but for rows of tables and blocks of code,
// which cannot be wrapped.
#include <algorithm>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/architecture/project_text.h"

namespace {

constexpr std::ptrdiff_t kMostCharacters = 120;

// Of UTF-8: every byte but those that go on with a character.
std::ptrdiff_t characters(const std::string& line) {
  return std::count_if(line.begin(), line.end(),
                       [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
}

TEST(DocumentLines, AreShortEnoughToReadSideBySide) {
  int lines = 0;
  for (const std::string& page : project_documents()) {
    std::istringstream text(project_text(page));
    std::string line;
    bool is_code = false;
    for (int number = 1; std::getline(text, line); ++number, ++lines) {
      if (line.find("```") != std::string::npos) is_code = !is_code;
      if (is_code || line.starts_with('|')) continue;
      EXPECT_LE(characters(line), kMostCharacters) << page << ':' << number;
    }
  }
  EXPECT_GT(lines, 2000) << "the search found too little";
}

}  // namespace
