#include "framework/regex/analysis.h"

#include <gtest/gtest.h>

#include "framework/regex/parser.h"

namespace weft {
namespace {

RegexFacts facts(std::string_view pattern) {
  return facts_of(parse_regex(pattern));
}

TEST(RegexFacts, FindsWhatAMatchNeeds) {
  const RegexFacts found = facts("(?<=[0-9])(?:km|m)$");
  EXPECT_EQ(found.required, CodePointSet({{U'0', U'9'}}));
  EXPECT_EQ(found.first, CodePointSet({{U'k', U'k'}, {U'm', U'm'}}));
  EXPECT_EQ(found.last, CodePointSet::of(U'm'));
  EXPECT_EQ(found.max_width, 2U);
  EXPECT_EQ(found.look_behind, 1U);
  EXPECT_TRUE(found.anchored_end);
  EXPECT_FALSE(found.anchored_start);
}

TEST(RegexFacts, IsCautiousWhereNothingIsCertain) {
  EXPECT_TRUE(facts("a*").required.is_all());
  EXPECT_TRUE(facts("a*").can_be_empty);
  EXPECT_TRUE(facts("(?!x)").required.is_all());
  EXPECT_FALSE(facts("a+").max_width);
  EXPECT_FALSE(facts("(?m)^a").anchored_start);
  EXPECT_FALSE(facts("(?:^a)?b").anchored_start);
  EXPECT_FALSE(facts("^a|b").anchored_start);
  EXPECT_TRUE(facts("^a|^b").anchored_start);
}

TEST(RegexFacts, BoundsCaseFromAbove) {
  EXPECT_TRUE(facts("(?i)k").first.contains(0x212A));  // the Kelvin sign
  EXPECT_FALSE(facts("(?i)[-'’]").first.contains(U'é'));
}

TEST(RegexFacts, TellsLinearSearchesFromOthers) {
  for (const char* linear :
       {"(?<=a),(?=b)", "\\.\\.+", "a{1,60}b", "(?<!\\w)\\w+-\\w+(?:-\\w+)*"}) {
    EXPECT_TRUE(facts(linear).linear) << linear;
  }
  for (const char* slow : {"\\w+-\\w+", "(?:a+)+b", "a+$", "(?<![a-y])\\w+-\\w+", "a+(?=b)"}) {
    EXPECT_FALSE(facts(slow).linear) << slow;
  }
}

}  // namespace
}  // namespace weft
