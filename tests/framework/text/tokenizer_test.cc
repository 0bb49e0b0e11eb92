#include "framework/text/tokenizer.h"

#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using testing::ElementsAre;

// Tokens, each with `_` behind it where a space follows.
std::vector<std::string> cut(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<std::string> tokens;
  for (const TokenSpan& token : tokenizer.tokenize(text).tokens) {
    tokens.push_back(text.substr(token.begin, token.length) + (token.space_after ? "_" : ""));
  }
  return tokens;
}

Tokenizer simple() {
  TokenizerRules rules;
  rules.prefix_search = "^\\(|^\"";
  rules.suffix_search = "\\)$|\"$|(?<=[0-9])km$|\\.$";
  rules.infix_finditer = "(?<=[a-z])-(?=[a-z])";
  rules.url_match = "^\\S+\\.com$";
  rules.special_cases = {{"(x)", {{"(x)", {}}}},
                         {"a b", {{"a", {}}, {" b", {}}}},
                         {"don't", {{"do", ""}, {"n't", "not"}}},
                         {"e-mail", {{"e-mail", {}}}}};
  return Tokenizer(rules);
}

TEST(Tokenizer, CutsAtWhiteSpace) {
  const Tokenizer none{TokenizerRules()};
  EXPECT_THAT(cut(none, ""), ElementsAre());
  EXPECT_THAT(cut(none, " "), ElementsAre(" "));
  EXPECT_THAT(cut(none, "a  b"), ElementsAre("a_", " ", "b"));
  EXPECT_THAT(cut(none, "a \n b"), ElementsAre("a_", "\n ", "b"));
  EXPECT_THAT(cut(none, "a\n b "), ElementsAre("a", "\n ", "b_"));
  EXPECT_THAT(cut(none, "a  "), ElementsAre("a_", " "));
  EXPECT_THAT(cut(none, "a\u00a0b\u200bc"), ElementsAre("a", "\u00a0", "b\u200bc"));
}

TEST(Tokenizer, TakesAffixesOff) {
  const Tokenizer tokenizer = simple();
  EXPECT_THAT(cut(tokenizer, "(\"well-known\")."),
              ElementsAre("(", "\"", "well", "-", "known", "\"", ")", "."));
  EXPECT_THAT(cut(tokenizer, "10km (km"), ElementsAre("10", "km_", "(", "km"));
  EXPECT_THAT(cut(tokenizer, "()"), ElementsAre("(", ")"));
  EXPECT_THAT(cut(tokenizer, "(see-x.com)"), ElementsAre("(", "see-x.com", ")"));
}

TEST(Tokenizer, KnowsSpecialCasesInsideAffixes) {
  const Tokenizer tokenizer = simple();
  EXPECT_THAT(cut(tokenizer, "(don't)."), ElementsAre("(", "do", "n't", ")", "."));
  EXPECT_THAT(cut(tokenizer, "e-mail e-mails"), ElementsAre("e-mail_", "e", "-", "mails"));
  const TokenizedText found = tokenizer.tokenize("don't");
  EXPECT_EQ(found.tokens[0].norm, 0U) << "an empty norm is that of the word";
  EXPECT_EQ(tokenizer.norm(found.tokens[1].norm), "not");
}

TEST(Tokenizer, PutsSpecialCasesOverSeveralTokensTogether) {
  const Tokenizer tokenizer = simple();
  EXPECT_THAT(cut(tokenizer, "(x) a b."), ElementsAre("(x)_", "a", " b", "."));
  EXPECT_THAT(cut(tokenizer, "\"(x)\" ((x))"), ElementsAre("\"", "(x)", "\"_", "(", "(x)", ")"));
  EXPECT_THAT(cut(tokenizer, "a-b a  b"), ElementsAre("a", "-", "b_", "a_", " ", "b"));
  EXPECT_TRUE(tokenizer.tokenize("a b").first_replaced);
  EXPECT_FALSE(tokenizer.tokenize("(x) b").first_replaced);  // found in the first pass
}

TEST(Tokenizer, TakesOnlyTheLengthOfAnUnanchoredAffix) {
  TokenizerRules rules;
  rules.prefix_search = "\u00e4\u00f6";
  const Tokenizer tokenizer(rules);
  EXPECT_THAT(cut(tokenizer, "x\u00fcy\u00e4\u00f6"), ElementsAre("x\u00fc", "y\u00e4", "\u00f6"));
}

TEST(Tokenizer, SplitsLettersWhereAPatternAsksForIt) {
  TokenizerRules rules;
  rules.infix_finditer = "(?<=[a-z])(?=[A-Z])|x";
  const Tokenizer tokenizer(rules);
  EXPECT_THAT(cut(tokenizer, "camelCase axb plain"),
              ElementsAre("camel", "Case_", "a", "x", "b_", "plain"));
}

TEST(Tokenizer, RefusesWhatItCannotRead) {
  const Tokenizer none{TokenizerRules()};
  for (const char* wrong : {"a\xff", "\xed\xa0\x80", "\xc0\x80"}) {
    EXPECT_THROW(none.tokenize(wrong), Error) << wrong;
  }
  TokenizerRules rules;
  rules.special_cases = {{"ab", {{"a", {}}}}};
  EXPECT_THROW(Tokenizer{rules}, Error);
}

TEST(Tokenizer, TakesLongTextsInLinearTime) {
  const Tokenizer tokenizer = simple();
  EXPECT_EQ(cut(tokenizer, std::string(1'000'000, ' ')).size(), 1U);
  EXPECT_EQ(cut(tokenizer, std::string(10'000'000, 'a')).size(), 1U);
  EXPECT_EQ(cut(tokenizer, std::string(300'000, ')')).size(), 300'000U);
}

std::string refusal(const TokenizerRules& rules, const std::string& text) {
  try {
    Tokenizer(rules).tokenize(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Tokenizer, NamesTheTextAndThePatternThatWouldTakeTooLong) {
  TokenizerRules rules;
  rules.infix_finditer = "\\w+-\\w+";
  const Tokenizer tokenizer(rules);
  EXPECT_EQ(cut(tokenizer, "a-b" + std::string(100'000, '.')).size(), 1U);
  EXPECT_EQ(cut(tokenizer, std::string(3'000, 'a') + "-").size(), 1U);
  const std::string message = refusal(rules, "so " + std::string(100'000, 'a') + "-");
  EXPECT_THAT(message, testing::HasSubstr("the document of 100004 bytes that starts \"so aaa"));
  EXPECT_THAT(message, testing::HasSubstr("the infix_finditer pattern"));
}

TEST(Tokenizer, TakesAffixesOffInLinearTimeOrRefuses) {
  TokenizerRules rules;
  rules.prefix_search = "^\\((?=[^)]*x)";
  EXPECT_EQ(refusal(rules, std::string(20'000, '(') + "x"), "");
  EXPECT_THAT(refusal(rules, std::string(1'000'000, '(') + "x"),
              testing::HasSubstr("the prefix_search pattern"));
  rules.prefix_search = "\\(|b";  // anywhere
  EXPECT_EQ(refusal(rules, std::string(100'000, '(')), "");
  rules = {};
  rules.suffix_search = "[a-z)]+x$|\\)$";
  EXPECT_THAT(refusal(rules, std::string(200'000, ')')),
              testing::HasSubstr("the suffix_search pattern"));
  rules = {};
  rules.suffix_search = "\\)$";
  rules.token_match = "\\)+(?<!\\))";
  EXPECT_THAT(refusal(rules, std::string(300'000, ')')), testing::HasSubstr("token_match"));
}

// One special case as long as the text, and so many others that the filter knows all lengths.
TEST(Tokenizer, LongSpecialCasesDoNotMakeEveryLookUpLong) {
  TokenizerRules rules;
  rules.prefix_search = "^\\(";
  for (int i = 0; i < 60'000; ++i) {
    const std::string text = "(" + std::to_string(i) + "(";
    rules.special_cases.push_back({text, {{text, {}}}});
  }
  const std::string brackets(400'000, '(');
  rules.special_cases.push_back({brackets, {{brackets, {}}}});
  const Tokenizer tokenizer(rules);
  EXPECT_EQ(tokenizer.tokenize(brackets).tokens.size(), 1U);
  EXPECT_EQ(tokenizer.tokenize(brackets.substr(2)).tokens.size(), 399'998U);
}

TEST(Tokenizer, RefusesSpecialCasesThatWouldMakeTokensOutOfNothing) {
  TokenizerRules rules;
  rules.special_cases = {{"a", {{"a", {}}, {"", {}}}}};
  EXPECT_THROW(Tokenizer{rules}, Error);
}

TEST(Tokenizer, RefusesPatternsThatAreTooLong) {
  TokenizerRules rules;
  rules.token_match = std::string(1'500'000, 'a');
  rules.url_match = std::string(1'000'000, 'a');
  EXPECT_THAT(refusal(rules, "a"), testing::HasSubstr("2500000 bytes together"));
}

TEST(Tokenizer, GivesTheSameToManyThreads) {
  const Tokenizer tokenizer = simple();
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "(word" + std::to_string(i) + ") don't 1km ";
  const TokenizedText expected = tokenizer.tokenize(text);
  std::vector<std::thread> threads;
  std::vector<int> same(4);
  for (int& result : same) {
    threads.emplace_back([&] { result = tokenizer.tokenize(text).tokens == expected.tokens; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(same, ElementsAre(1, 1, 1, 1));
}

}  // namespace
}  // namespace weft
