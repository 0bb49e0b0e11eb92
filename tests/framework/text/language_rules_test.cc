#include "framework/text/language_rules.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

TokenizerRules build(const std::string& text, const std::string& shared = "") {
  const std::map<std::string, std::string, std::less<>> files = {{"test", text}, {"base", shared}};
  return build_language_rules(
      "test", [&](std::string_view name) { return std::string_view(files.find(name)->second); });
}

std::string error_of(const std::string& text) {
  try {
    build(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LanguageRules, BuildsPatterns) {
  const TokenizerRules rules = build(R"(
include base
[sets]
vowel = 'aeiou' - 'u' + U+00E4..U+00E6
[lists]
units = km m/s
units += "%"
[prefixes]
use brackets
"+" not before <digit>
[suffixes]
<units> after <digit>
"." "."+ | "…"
[infixes]
"" after <vowel> <'\''> before <alpha>
)",
                                     "[sets]\nalpha = 'a'..'z'\n[group brackets]\n\"(\" | \"[\"\n");
  EXPECT_EQ(rules.prefix_search, R"(^(?:\(|\[)|^\+(?![0-9]))");
  EXPECT_EQ(rules.suffix_search, R"((?<=[0-9])(?:km|m/s|%)$|(?:\.\.+|…)$)");
  EXPECT_EQ(rules.infix_finditer, R"((?<=[aeio\u00E4-\u00E6][\'])(?=[a-z]))");
  EXPECT_FALSE(rules.token_match);
}

TEST(LanguageRules, BuildsWholeTokensWithoutRegardToCase) {
  const TokenizerRules rules = build(R"([patterns]
tail = "-" <word>{2,}
[tokens ignoring case]
!("x") <visible>+ <tail>?
)");
  EXPECT_EQ(rules.token_match, R"((?i)^(?!x)\S+(?:-\w{2,})?$)");
}

TEST(LanguageRules, ListsWords) {
  const TokenizerRules rules = build(R"([words with ' or ’]
o'clock
[norms]
for example: e.g. "e. g."
[contractions in each case]
do=do | n't=not
)");
  std::vector<std::string> texts;
  for (const SpecialCase& special : rules.special_cases) texts.push_back(special.text);
  EXPECT_THAT(texts, testing::ElementsAre("DON'T", "Don't", "don't", "e. g.", "e.g.", "o'clock",
                                          "o’clock"));
  EXPECT_EQ(rules.special_cases[0].tokens[1], (SpecialToken{"N'T", "not"}));
  EXPECT_EQ(rules.special_cases[3].tokens[0], (SpecialToken{"e. g.", "for example"}));
}

TEST(LanguageRules, SaysWhereALineIsWrong) {
  EXPECT_THAT(error_of("[prefixes]\n\n<nobody>\n"),
              testing::StartsWith("test.rules:3: no set or list is called nobody"));
  for (const char* wrong :
       {"prefix", "[nothing]\nx", "[sets]\nx = 'a", "[sets]\nx = \\p{Zz}",
        "[sets]\nx = 'a'\nx = 'b'", "[sets]\nx = 'b'..'a'", "[prefixes]\nuse nobody",
        "[prefixes]\n\"a\" behind \"b\"", "[prefixes]\n(\"a\"", "[prefixes]\n\"a\"{2",
        "[contractions]\na b", "[norms]\na b", "[words with x]\na", "[words in some case]\na",
        "[lists]\nx =", "include test"}) {
    EXPECT_THAT(error_of(wrong), testing::HasSubstr("test.rules")) << wrong;
  }
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// `first`, and 40 names each of which stands for the one before it twice.
std::string doubling(const std::string& section, const std::string& first, const std::string& sign,
                     const std::string& before, const std::string& behind) {
  std::string text = section + "\nn0 = " + first + "\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string name = before + "n" + std::to_string(i - 1) + behind;
    text += "n" + std::to_string(i) + " = " + name + sign + name + "\n";
  }
  return text;
}

TEST(LanguageRules, NamesThatStandForMuchHaveALimit) {
  const std::string many = repeated("w ", 5000);
  for (const std::string& text :
       {doubling("[patterns]", "\"ab\"", " ", "<", ">"),
        "[group g]\n\"a\"\n" + repeated("use g\n", 40), "[contractions]\n" + many + "| " + many,
        "[words with a or " + std::string(20'000, 'B') + "]\n" + std::string(20'000, 'a'),
        "[sets]\nx = " + repeated("\\p{L} + ", 100'000) + "'a'"}) {
    EXPECT_THAT(error_of(text), testing::HasSubstr("the rules take more than 64 MiB"))
        << text.substr(0, 80);
  }
  EXPECT_EQ(error_of(doubling("[sets]", "word", " + ", "", "") + "[prefixes]\n<n40>\n"), "")
      << "a set has each of its characters once";
}

TEST(LanguageRules, ParenthesesHaveADepth) {
  const auto nested = [](const std::string& before, const std::string& open, int depth) {
    return before + repeated(open, depth) + "\"a\"" + std::string(depth, ')');
  };
  const std::string set =
      "[sets]\nx = " + repeated("(", 100'000) + "'a'" + std::string(100'000, ')');
  EXPECT_THAT(error_of(set), testing::HasSubstr("nested too deeply"));
  for (const char* open : {"(", "!("}) {
    EXPECT_THAT(error_of(nested("[prefixes]\n", open, 100'000)),
                testing::HasSubstr("nested too deeply"));
    EXPECT_EQ(error_of(nested("[prefixes]\n", open, 150)), "");
  }
}

// Reading whole characters, one would go on behind the end of the text.
TEST(LanguageRules, WhatIsNoUtf8IsRefusedByItsLine) {
  for (const char* wrong : {"[sets]\nx = '\xE1'", "[sets]\n\xF0\x9F = 'a'", "[words]\nab\xC3",
                            "[words]\n# a comment \xFF"}) {
    EXPECT_EQ(error_of(wrong), "test.rules:2: the line is not valid UTF-8") << wrong;
  }
}

TEST(LanguageRules, ALineThatMentionsRulesIsNamedAllTheSame) {
  EXPECT_THAT(error_of("[sets]\nx = 'a.rules:"), testing::StartsWith("test.rules:2: "));
}

TEST(LanguageRules, AnErrorInAnIncludedFileIsNamedOnce) {
  try {
    build("include base\n", "[prefixes]\n<nobody>\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "base.rules:2: no set or list is called nobody at character 7 of \"nobody\"");
  }
}

}  // namespace
}  // namespace weft
