#include "framework/matching/dead_pattern.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// With a tokenizer that cuts at blanks, and "don't" in two unless it is written "Don't".
std::string reason(const char* pattern) {
  const Vocab vocab("en");
  const PatternUse use{vocab, [](std::string_view text) {
                         const auto blanks = std::count(text.begin(), text.end(), ' ');
                         return static_cast<int>(blanks) + (text == "don't" ? 2 : 1);
                       }};
  return why_never(parse_json(pattern)->as_list(), use).value_or("");
}

TEST(DeadPattern, AWordInLowerCaseHasNoCapitals) {
  EXPECT_THAT(reason(R"([{}, {"lower": "Paris"}])"),
              AllOf(HasSubstr("token 2, lower"), HasSubstr("\"paris\"")));
  EXPECT_THAT(reason(R"([{"LOWER": {"IN": ["A", "B"]}}])"), HasSubstr("LOWER"));
  EXPECT_EQ(reason(R"([{"LOWER": {"IN": ["A", "b"]}}])"), "");
  EXPECT_EQ(reason(R"([{"LOWER": "paris"}, {"ORTH": "Paris"}, {"LOWER": {"REGEX": "P"}}])"), "");
}

TEST(DeadPattern, WhatTheTokenizerCutsIsNoToken) {
  EXPECT_THAT(reason(R"([{"TEXT": "New York"}])"), HasSubstr("2 tokens of \"New York\""));
  EXPECT_THAT(reason(R"([{"ORTH": "don't"}])"), HasSubstr("2 tokens"));
  EXPECT_EQ(reason(R"([{"LOWER": "don't"}])"), "");  // as "Don't" it is one
}

TEST(DeadPattern, FlagsMayExcludeEachOther) {
  EXPECT_THAT(reason(R"([{"IS_ALPHA": true, "IS_DIGIT": true}])"), HasSubstr("IS_ALPHA"));
  EXPECT_EQ(reason(R"([{"IS_ALPHA": true, "IS_DIGIT": false, "IS_LOWER": true}])"), "");
  EXPECT_THAT(reason(R"([{"IS_DIGIT": true, "ORTH": "ten"}])"),
              AllOf(HasSubstr("IS_DIGIT"), HasSubstr("\"ten\"")));
  EXPECT_THAT(reason(R"([{"IS_ALPHA": false, "ORTH": "ten"}])"), HasSubstr("true of"));
}

TEST(DeadPattern, NothingIsInAnEmptyList) {
  EXPECT_THAT(reason(R"([{"TAG": {"IN": []}}])"), HasSubstr("empty list"));
  EXPECT_EQ(reason(R"([{"TAG": {"NOT_IN": []}}])"), "");
}

TEST(DeadPattern, TokensThatNeedNotBeThereMayBeAnything) {
  for (const char* op : {"?", "*", "!", "{0,2}", "{,3}"}) {
    EXPECT_EQ(reason((R"([{"LOWER": "A", "OP": ")" + std::string(op) + R"("}, {}])").c_str()), "")
        << op;
  }
  EXPECT_NE(reason(R"([{"LOWER": "A", "OP": "+"}])"), "");
  EXPECT_NE(reason(R"([{"LOWER": "A", "OP": "{2}"}])"), "");
}

}  // namespace
}  // namespace weft
