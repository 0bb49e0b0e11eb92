#include "framework/text/alignment.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/doc.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AlignmentTest : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;
  using Rows = std::vector<std::vector<int>>;

  Alignment align(const Words& predicted, const Words& reference) const {
    return {*Doc::from_words(vocab_, predicted, {}).tokens(),
            *Doc::from_words(vocab_, reference, {}).tokens()};
  }
  static Rows to_reference(const Alignment& alignment, int size) {
    Rows rows;
    for (int i = 0; i < size; ++i) {
      const auto row = alignment.to_reference(i);
      rows.emplace_back(row.begin(), row.end());
    }
    return rows;
  }
  static Rows to_predicted(const Alignment& alignment, int size) {
    Rows rows;
    for (int i = 0; i < size; ++i) {
      const auto row = alignment.to_predicted(i);
      rows.emplace_back(row.begin(), row.end());
    }
    return rows;
  }
  std::string fault(const Words& predicted, const Words& reference) const {
    try {
      align(predicted, reference);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "none";
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(AlignmentTest, TheSameWordsAreAlignedOneByOne) {
  const Alignment same = align({"a", "b"}, {"a", "b"});
  EXPECT_TRUE(same.is_identity());
  EXPECT_EQ(to_reference(same, 2), (Rows{{0}, {1}}));
  EXPECT_EQ(to_predicted(same, 2), (Rows{{0}, {1}}));
  EXPECT_TRUE(align({}, {}).is_identity());
}

TEST_F(AlignmentTest, TokensThatShareCharactersAreAligned) {
  const Alignment cut = align({"it", "'s", "new", "york"}, {"it's", "newy", "ork"});
  EXPECT_FALSE(cut.is_identity());
  EXPECT_EQ(to_reference(cut, 4), (Rows{{0}, {0}, {1}, {1, 2}}));
  EXPECT_EQ(to_predicted(cut, 3), (Rows{{0, 1}, {2, 3}, {3}}));
}

TEST_F(AlignmentTest, LetterCaseDoesNotCount) {
  EXPECT_EQ(to_reference(align({"Ada", "X"}, {"aDa", "x"}), 2), (Rows{{0}, {1}}));
  // At the end of a word a sigma is another letter.
  EXPECT_EQ(to_reference(align({"ΟΔΟΣ"}, {"οδο", "ς"}), 1), (Rows{{0, 1}}));
  // The lower case of İ has two characters.
  EXPECT_EQ(to_reference(align({"İx"}, {"İ", "x"}), 1), (Rows{{0, 1}}));
}

TEST_F(AlignmentTest, WhiteSpaceThatOneSideHasIsAlignedWithNothing) {
  const Alignment more = align({"a", " \n", "b", "  "}, {"a", "b"});
  EXPECT_EQ(to_reference(more, 4), (Rows{{0}, {}, {1}, {}}));
  EXPECT_EQ(to_predicted(more, 2), (Rows{{0}, {2}}));
  EXPECT_EQ(to_reference(align({"a b"}, {"a", "b"}), 1), (Rows{{0, 1}}));
  EXPECT_EQ(to_predicted(align({}, {" "}), 1), (Rows{{}}));
}

TEST_F(AlignmentTest, OtherTextsAreRefusedWithTheirPlaces) {
  EXPECT_THAT(fault({"a", "bc"}, {"a", "bd"}), HasSubstr("token 1 (\"bc\") and token 1 (\"bd\")"));
  EXPECT_THAT(fault({"a"}, {"a", "b"}), HasSubstr("the end and token 1 (\"b\")"));
  EXPECT_THAT(fault({"ab"}, {"a"}), HasSubstr("token 0 (\"ab\") and the end"));
}

}  // namespace
}  // namespace weft
