// Code that a page quotes, in a block behind a line that ends with "From `FILE`:", stands in that
// file as it is quoted.
#include <regex>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/architecture/project_text.h"

namespace {

TEST(QuotedCode, StandsInItsFile) {
  static const std::regex source(R"(\bFrom\s+`([\w./-]+)`:\n\n((?:```cpp\n[^`]*```\n\n?)+))");
  static const std::regex block("```cpp\n([^`]*)```");
  std::size_t quotes = 0;
  for (const std::string& page : project_documents()) {
    const std::string text = project_text(page);
    for (std::sregex_iterator at(text.begin(), text.end(), source), end; at != end; ++at) {
      const std::string file = (*at)[1], blocks = (*at)[2], code = project_text(file);
      EXPECT_FALSE(code.empty()) << page << " quotes " << file;
      for (std::sregex_iterator one(blocks.begin(), blocks.end(), block); one != end; ++one) {
        EXPECT_NE(code.find((*one)[1]), std::string::npos) << page << " quotes of " << file << '\n'
                                                           << (*one)[1];
        ++quotes;
      }
    }
  }
  EXPECT_GT(quotes, 8U) << "the search found too little";
}

}  // namespace
