#include "framework/text/bounded_doc.h"

#include <cstdlib>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/text_lines.h"
#include "framework/text/vocab.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

// A mebibyte for everything: 8,192 bytes of text, 1,365 tokens.
class BoundedDoc : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0); }
  void TearDown() override { ::unsetenv("WEFT_READ_MIB"); }

  // Every byte is a word.
  Doc by_bytes(std::string_view text) const {
    std::vector<std::string> words;
    for (const char c : text) words.emplace_back(1, c);
    return Doc::from_words(vocab_, words);
  }
  Doc whole(std::string_view text) const { return Doc::from_words(vocab_, {std::string(text)}); }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("xx");
};

TEST_F(BoundedDoc, TextAndTokensAreBoundEachForItself) {
  ReadBudget budget("some.txt");
  const auto by_bytes = [this](std::string_view text) { return this->by_bytes(text); };
  const auto whole = [this](std::string_view text) { return this->whole(text); };
  for (int i = 0; i < 3; ++i) {  // one document's charge is not the next one's
    EXPECT_EQ(bounded_doc(budget, by_bytes, std::string(1300, 'a')).size(), 1300);
    EXPECT_EQ(bounded_doc(budget, whole, std::string(8000, 'a')).size(), 1);
  }
  EXPECT_THROW(bounded_doc(budget, by_bytes, std::string(1400, 'a')), Error);
  EXPECT_THROW(bounded_doc(budget, whole, std::string(8300, 'a')), Error);
}

TEST_F(BoundedDoc, ALineThatIsTooMuchIsNamed) {
  const std::string file = file_with("lines.txt", "short\n" + std::string(9000, 'a') + "\n");
  TextLines lines({file});
  const auto make = [this](std::string_view text) { return whole(text); };
  const auto next = [&] {
    const auto line = lines.next();
    return lines.at_line([&] { return bounded_doc(lines.budget(), make, *line); });
  };
  EXPECT_EQ(next().size(), 1);
  try {
    next();
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.place().line, 2);
    EXPECT_THAT(error.what(), HasSubstr(file + ":2"));
    EXPECT_THAT(error.what(), HasSubstr("the text of a document would take more memory"));
  }
}

}  // namespace
}  // namespace weft
