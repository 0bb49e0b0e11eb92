#include "framework/regex/analysis.h"

#include <gtest/gtest.h>

#include "framework/regex/parser.h"
#include "framework/unicode/unicode.h"

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

TEST(RegexFacts, TellsAlternativesApartBeforeACommonEnd) {
  const auto two = facts_of_alternatives(parse_regex("(?:\\.\\.+|x)$"));
  ASSERT_EQ(two.size(), 2U);
  EXPECT_FALSE(two[0].max_width);
  EXPECT_EQ(two[1].taken, CodePointSet::of(U'x'));
  EXPECT_EQ(two[1].max_width, 1U);
  EXPECT_TRUE(two[0].anchored_end && two[1].anchored_end);
  EXPECT_EQ(facts_of_alternatives(parse_regex("(?:a|b)+$")).size(), 1U);
}

TEST(RegexFacts, CountsTheItemsOfAnAttempt) {
  EXPECT_EQ(facts("abc").items, 3U);
  EXPECT_EQ(facts("a|bcd").items, 3U);
  EXPECT_EQ(facts("a{2,50}b+c{7,}").items, 58U);
  EXPECT_EQ(facts("(?:(?:a{60000}){60000}){60000}").items, RegexFacts::kMany);
  EXPECT_FALSE(facts("(?:(?:a{60000}){60000}){60000}").max_width);
}

// Sets that are all different: their unions must not take time by the square of their number.
TEST(RegexFacts, TakesManyDifferentSetsInTime) {
  std::string sequence, alternation;
  for (char32_t c = 0x10000; c < 0x10000 + 120'000; c += 2) {
    append_utf8(sequence, c);
    append_utf8(alternation, c);
    alternation += '|';
  }
  EXPECT_EQ(facts(sequence).taken.ranges().size(), 60'000U);
  const auto together = facts_of_alternatives(parse_regex(alternation + "x"));
  EXPECT_LE(together.size(), 512U);
  std::size_t ranges = 0;
  for (const RegexFacts& some : together) ranges += some.first.ranges().size();
  EXPECT_EQ(ranges, 60'001U);
}

}  // namespace
}  // namespace weft
