#include "framework/text/char_ents.h"

#include <ctime>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/biluo.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CharEnts : public ::testing::Test {
 protected:
  // "Zoë Smith-Jones ran ."
  Doc zoe() {
    return Doc::from_words(vocab_, {"Zoë", "Smith", "-", "Jones", "ran", "."},
                           {true, false, false, true, true, false});
  }

  std::vector<std::string> tags(std::vector<CharEnt> ents, AlignmentPolicy policy) {
    told_.clear();
    Doc doc = zoe();
    set_ents_from_chars(doc, ents, policy, place_,
                        [&](const Misaligned& misaligned) { told_.push_back(misaligned.str()); });
    return biluo_strings(doc);
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  DocPlace place_{"train.jsonl", 7, 6};
  std::vector<std::string> told_;
};

TEST_F(CharEnts, ExactEntitiesAreTakenUnderEveryPolicy) {
  for (const auto policy : {AlignmentPolicy::error, AlignmentPolicy::drop, AlignmentPolicy::expand,
                            AlignmentPolicy::contract}) {
    EXPECT_THAT(tags({{0, 15, "PER"}, {16, 19, "ACT"}}, policy),
                ElementsAre("B-PER", "I-PER", "I-PER", "L-PER", "U-ACT", "O"));
    EXPECT_TRUE(told_.empty());
  }
}

TEST_F(CharEnts, AMessageHoldsNothingThatSteersATerminal) {
  tags({{4, 12, "PER\x1b[31m\u202e"}}, AlignmentPolicy::expand);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_THAT(told_[0], HasSubstr("PER\\u{1B}[31m\\u{202E} at characters"));
}

TEST_F(CharEnts, ErrorSaysWhereAndWhat) {
  try {
    tags({{4, 12, "PER"}}, AlignmentPolicy::error);
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.place().line, 7);
    EXPECT_THAT(error.what(), HasSubstr("train.jsonl:7"));
    EXPECT_THAT(error.what(),
                HasSubstr("document 7: PER at characters 4 to 12, \"Smith-Jo\", does not "
                          "fall on token boundaries"));
  }
}

TEST_F(CharEnts, DroppedEntitiesLeaveTheirTokensOpen) {
  EXPECT_THAT(tags({{4, 12, "PER"}}, AlignmentPolicy::drop),
              ElementsAre("O", "-", "-", "-", "O", "O"));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("train.jsonl:7  document 7: PER")));
}

TEST_F(CharEnts, WithoutALabelATokenThatIsCutStaysOpen) {
  EXPECT_THAT(tags({{6, 17, ""}}, AlignmentPolicy::error),
              ElementsAre("O", "-", "O", "O", "O", "O"));
  EXPECT_THAT(tags({{3, 9, ""}}, AlignmentPolicy::error), ElementsAre("O", "O", "O", "O", "O", "O"))
      << "a blank is none of a token's characters";
  EXPECT_THAT(tags({{4, 9, "PER"}, {6, 9, ""}, {30, 40, ""}, {5, 5, ""}}, AlignmentPolicy::error),
              ElementsAre("O", "U-PER", "O", "O", "O", "O"));
  EXPECT_THAT(told_, ElementsAre());
}

TEST_F(CharEnts, ExpandTakesWhatIsTouched) {
  EXPECT_THAT(tags({{6, 12, "PER"}}, AlignmentPolicy::expand),
              ElementsAre("O", "B-PER", "I-PER", "L-PER", "O", "O"));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("\"Smith-Jones\" is taken instead")));
  EXPECT_THAT(tags({{0, 4, "PER"}}, AlignmentPolicy::expand),
              ElementsAre("U-PER", "O", "O", "O", "O", "O"))
      << "a space at the edge";
}

TEST_F(CharEnts, ContractTakesWhatLiesInside) {
  EXPECT_THAT(tags({{2, 12, "PER"}}, AlignmentPolicy::contract),
              ElementsAre("O", "B-PER", "L-PER", "O", "O", "O"));
  EXPECT_THAT(tags({{5, 8, "PER"}}, AlignmentPolicy::contract),
              ElementsAre("O", "-", "O", "O", "O", "O"))
      << "no token lies inside";
  EXPECT_EQ(told_.size(), 1u);
}

TEST_F(CharEnts, OverlapsAndImpossiblePlacesAreTold) {
  EXPECT_THAT(tags({{0, 9, "A"}, {4, 9, "B"}}, AlignmentPolicy::expand),
              ElementsAre("B-A", "L-A", "O", "O", "O", "O"));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("B at characters 4 to 9, \"Smith\", shares a token")));
  tags({{20, 99, "A"}, {3, 3, "B"}, {5, 4, "C"}}, AlignmentPolicy::expand);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("past the end"), HasSubstr("no characters"),
                                 HasSubstr("no characters")));
  tags({{3, 4, "A"}}, AlignmentPolicy::expand);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("token boundaries"))) << "a space is no token";
  EXPECT_THROW(tags({{20, 99, "A"}}, AlignmentPolicy::error), Error);
  EXPECT_THROW(tags({{0, 9, "A"}, {4, 9, "B"}}, AlignmentPolicy::error), Error);
}

// To leave one out, for any reason, says nothing of its tokens.
TEST_F(CharEnts, EveryEntityThatIsLeftOutLeavesItsTokensOpen) {
  EXPECT_THAT(tags({{4, 9, "A"}, {18, 99, "B"}}, AlignmentPolicy::drop),
              ElementsAre("O", "U-A", "O", "O", "-", "-"));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("past the end")));
  EXPECT_THAT(tags({{4, 9, "A"}, {4, 15, "B"}}, AlignmentPolicy::drop),
              ElementsAre("O", "U-A", "-", "-", "O", "O"));
  EXPECT_THAT(tags({{0, 3, "A"}, {10, 10, "B"}, {70, 80, "C"}}, AlignmentPolicy::drop),
              ElementsAre("U-A", "O", "O", "O", "O", "O"))
      << "they touch none";
  EXPECT_THAT(tags({{18, 99, "B"}}, AlignmentPolicy::expand),
              ElementsAre("O", "O", "O", "O", "B-B", "L-B"));
  EXPECT_THAT(told_, ElementsAre(AllOf(HasSubstr("past the end"), HasSubstr("is taken instead"))));
  EXPECT_THAT(tags({{18, 99, "B"}}, AlignmentPolicy::contract),
              ElementsAre("O", "O", "O", "O", "O", "U-B"));
}

TEST_F(CharEnts, PoliciesByName) {
  EXPECT_EQ(alignment_policy_of("contract"), AlignmentPolicy::contract);
  EXPECT_FALSE(alignment_policy_of("strict"));
}

TEST_F(CharEnts, LongQuotationsAreCut) {
  Doc doc = Doc::from_words(vocab_, {"a", std::string(5000, 'b')}, {true, false});
  const std::vector<CharEnt> ents = {{0, 4000, std::string(3000, 'L')}};
  std::vector<Misaligned> told;
  set_ents_from_chars(doc, ents, AlignmentPolicy::expand, place_,
                      [&](const Misaligned& misaligned) { told.push_back(misaligned); });
  ASSERT_EQ(told.size(), 1u);
  EXPECT_LT(told[0].str().size(), 1000u);
  EXPECT_THAT(told[0].str(), HasSubstr("b…\", does not fall on token boundaries"));
  EXPECT_FALSE(told[0].blank_edge);
}

TEST_F(CharEnts, AQuotationHasTwoHundredBytesOfWholeCharacters) {
  std::string word = "a";
  for (int i = 0; i < 150; ++i) word += "ä";
  Doc doc = Doc::from_words(vocab_, {word, "b"}, {true, false});
  const std::vector<CharEnt> ents = {{0, 150, "PER"}};
  std::vector<Misaligned> told;
  set_ents_from_chars(doc, ents, AlignmentPolicy::drop, place_,
                      [&](const Misaligned& misaligned) { told.push_back(misaligned); });
  ASSERT_EQ(told.size(), 1u);
  std::string quoted = "a";  // 199 bytes: half of the next character would not fit
  for (int i = 0; i < 99; ++i) quoted += "ä";
  EXPECT_THAT(told[0].str(), HasSubstr("\"" + quoted + "…\""));
}

TEST_F(CharEnts, KnowsOfBlanksAtTheEdges) {
  for (const auto& [start, end] : {std::pair<std::size_t, std::size_t>{3, 15}, {0, 16}}) {
    Doc doc = zoe();
    bool blank = false;
    const std::vector<CharEnt> ents = {{start, end, "PER"}};
    set_ents_from_chars(doc, ents, AlignmentPolicy::drop, place_,
                        [&](const Misaligned& misaligned) { blank = misaligned.blank_edge; });
    EXPECT_TRUE(blank) << start;
  }
}

// Entities over everything, the last token taken already: each is looked at in constant time.
TEST_F(CharEnts, ManyEntitiesOverALongTextAreNoProduct) {
  constexpr std::size_t kTokens = 200'000;
  const std::vector<std::string> words(kTokens, "é");
  Doc doc = Doc::from_words(vocab_, words);
  std::vector<CharEnt> ents = {{2 * kTokens - 2, 2 * kTokens - 1, "END"}};
  for (std::size_t i = 0; i < 100'000; ++i) ents.push_back({1, 2 * kTokens - 1, "ALL"});
  std::size_t told = 0;
  const std::clock_t start = std::clock();
  set_ents_from_chars(doc, ents, AlignmentPolicy::expand, place_,
                      [&](const Misaligned& misaligned) { told += misaligned.kept ? 0 : 1; });
  EXPECT_EQ(told, 100'000u);
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);
}

// Ranges overlap in every way, and characters have one to four bytes: compared with what follows
// from the tokens one by one.
TEST_F(CharEnts, ManyEntitiesOverlap) {
  Doc doc = Doc::from_words(vocab_, {"a", "Zoë", "😀😀", "日本語", "-", "end"},
                            {true, false, true, true, false, false});
  const std::size_t size = doc.tokens()->char_size();
  std::vector<CharEnt> ents;
  for (std::size_t start = 0; start < size; ++start) {
    for (std::size_t end = size; end > start; --end) ents.push_back({start, end, "X"});
  }
  std::vector<Misaligned> told;
  set_ents_from_chars(doc, ents, AlignmentPolicy::drop, place_,
                      [&](const Misaligned& one) { told.push_back(one); });
  EXPECT_THAT(biluo_strings(doc), ElementsAre("B-X", "I-X", "I-X", "I-X", "I-X", "L-X"));
  ASSERT_EQ(told.size(), ents.size() - 1);
  for (const Misaligned& one : told) {
    std::string expected;
    std::size_t at = 0;
    for (std::size_t i = 0; i < one.ent.end; ++i) {
      const std::size_t begin = at;
      next_code_point(doc.text(), at);
      if (i >= one.ent.start) expected += doc.text().substr(begin, at - begin);
    }
    EXPECT_EQ(one.text, expected);
  }
}

}  // namespace
}  // namespace weft
