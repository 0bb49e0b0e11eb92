// Texts that nobody writes and somebody sends: the rules of every language cut them, in a time that
// grows with their length. The sizes are those of a few tenths of a second.
#include <string>

#include <gtest/gtest.h>

#include "components/languages/language_data.h"
#include "framework/text/tokenizer.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::string repeated(const std::string& part, std::size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

class PathologicalTexts : public ::testing::TestWithParam<std::string> {
 protected:
  // The number of tokens, which have to make up the text.
  std::size_t count(const std::string& text) const {
    const TokenizedText cut = tokenizer_.tokenize(text);
    std::size_t bytes = 0;
    for (const TokenSpan& token : cut.tokens) bytes += token.length + (token.space_after ? 1 : 0);
    EXPECT_EQ(bytes, text.size());
    return cut.tokens.size();
  }

  const Tokenizer tokenizer_{language_tokenizer_rules(GetParam())};
};

TEST_P(PathologicalTexts, DotsInOneToken) {
  EXPECT_GE(count(repeated("a.", 120'000)), 1u);
  EXPECT_GE(count(repeated("aa.", 120'000) + "com"), 1u);
  EXPECT_GE(count(std::string(200'000, '.')), 1u);
  EXPECT_GE(count(repeated("http://a:b@", 20'000)), 1u);
}

TEST_P(PathologicalTexts, HyphensInOneToken) {
  EXPECT_GE(count(repeated("a-", 120'000) + "b"), 1u);
  EXPECT_GE(count(repeated("a-", 60'000) + "-!b"), 1u);
  EXPECT_GE(count(repeated("x.-'", 40'000)), 1u);
}

TEST_P(PathologicalTexts, OneLongToken) {
  const bool by_character = GetParam() == "zh";
  EXPECT_EQ(count(std::string(2'000'000, 'a')), by_character ? 2'000'000u : 1u);
  EXPECT_GE(count(repeated("9,", 50'000)), 1u);
  EXPECT_GE(count(repeated("\xC3\xA9'", 50'000)), 1u);
  EXPECT_EQ(count(std::string(100'000, ')')), 100'000u);
}

TEST_P(PathologicalTexts, WhiteSpaceOnly) {
  EXPECT_EQ(count(std::string(1'000'000, ' ')), 1u);
  EXPECT_GE(count(repeated("\n ", 100'000)), 1u);
}

TEST_P(PathologicalTexts, OneLongLine) {
  const std::size_t once = count("It isn't far, (really) 10km or so... see www.example.com! ");
  const std::size_t often =
      count(repeated("It isn't far, (really) 10km or so... see www.example.com! ", 20'000));
  EXPECT_EQ(often, 20'000 * once);
}

TEST_P(PathologicalTexts, InvalidUtf8IsRefused) {
  for (const char* bytes : {"\xED\xA0\x80", "\xED\xBF\xBF", "\xFF", "\xC0\x80", "\xF4\x90\x80\x80",
                            "\xE2\x82", "\x80"}) {
    EXPECT_THROW(count(std::string("fine ") + bytes), Error);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PathologicalTexts, testing::ValuesIn(language_codes()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
