#include "framework/text/text_cutter.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using testing::ElementsAre;

TokenizerRules rules() {
  TokenizerRules made;
  made.suffix_search = "\\.$|\\)$";
  made.special_cases = {{"a b", {{"a", {}}, {" b", "B"}}}, {"c.", {{"c.", {}}}}};
  return made;
}

std::vector<std::uint32_t> sizes(std::span<const TokenPiece> pieces) {
  std::vector<std::uint32_t> found;
  for (const TokenPiece& piece : pieces) found.push_back(piece.length);
  return found;
}

class TextCutterTest : public testing::Test {
 protected:
  std::vector<std::uint32_t> chunk(std::string_view text) {
    return sizes(cutter_.cut_chunk(text, cutter_.filter().scan(text, 0), work_));
  }
  // The numbers of the tokens of a text.
  std::vector<std::uint32_t> words(std::string_view text) {
    cutter_.cut(text, work_);
    return work_.words;
  }

  TextCutter cutter_{rules()};
  CutWorkspace work_;
};

TEST_F(TextCutterTest, CutsOneChunk) {
  EXPECT_THAT(chunk("plain"), ElementsAre(5));
  EXPECT_THAT(chunk("end.)"), ElementsAre(3, 1, 1));
  EXPECT_THAT(chunk("end.)"), ElementsAre(3, 1, 1));  // remembered
  EXPECT_THAT(chunk("c."), ElementsAre(2));           // a special case
}

TEST_F(TextCutterTest, FindsSpecialCasesOverSeveralTokensWhereTheTextAgrees) {
  const std::string_view text = "x a b y a  b";
  std::vector<TokenSpan> tokens;
  for (const std::uint32_t begin : {0u, 2u, 4u, 6u, 8u}) tokens.push_back({begin, 1});
  const auto a = words("a")[0], b = words("b")[0];
  EXPECT_TRUE(cutter_.may_start_special(a));
  EXPECT_FALSE(cutter_.may_start_special(b));
  EXPECT_FALSE(cutter_.may_start_special(0));
  const std::vector<std::uint32_t> numbers = {0, a, b, 0, a};
  auto found = cutter_.find_ranges(numbers);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin, 1u);
  EXPECT_EQ(found[0].end, 3u);
  const auto taken = cutter_.replacements(text, tokens, found);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_THAT(sizes(taken[0].pieces), ElementsAre(1, 2));
  EXPECT_EQ(cutter_.norm(taken[0].pieces[1].norm), "B");
  tokens[2].begin = 5;  // as if two spaces stood between them
  EXPECT_TRUE(cutter_.replacements("x a  b y a b", tokens, found).empty());
}

TEST_F(TextCutterTest, RefusesSpecialCasesThatMakeUpAnotherText) {
  TokenizerRules wrong;
  wrong.special_cases = {{"ab", {{"a", {}}, {"c", {}}}}};
  EXPECT_THROW(TextCutter{wrong}, Error);
}

}  // namespace
}  // namespace weft
