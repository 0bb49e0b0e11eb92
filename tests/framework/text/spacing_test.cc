#include "framework/text/spacing.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

TEST(Spacing, WordsAreLookedForOneBehindTheOther) {
  const std::vector<std::string> words = {"a", "a", ".", "b"};
  EXPECT_THAT(spaces_of("a a. b", words), ElementsAre(true, false, true, false));
  EXPECT_THAT(spaces_of("a  a.\nb ", words), ElementsAre(true, false, false, true));
}

TEST(Spacing, AWordThatIsNotThereCountsAsSpaced) {
  const std::vector<std::string> words = {"a", "missing", "b"};
  EXPECT_THAT(spaces_of("ab", words), ElementsAre(false, true, false));
  EXPECT_THAT(spaces_of("", words), ElementsAre(true, true, true));
}

TEST(Spacing, DocumentsOfWords) {
  const auto vocab = std::make_shared<Vocab>("en");
  const std::vector<std::string> words = {"It", "'s"};
  const Doc given = doc_of_words(vocab, words, {false, true});
  EXPECT_EQ(given.text(), "It's ");
  EXPECT_FALSE(given.has_unknown_spaces());
  const Doc unknown = doc_of_words(vocab, words, {});
  EXPECT_EQ(unknown.text(), "It 's ");
  EXPECT_TRUE(unknown.has_unknown_spaces());
  EXPECT_FALSE(doc_of_words(vocab, {}, {}).has_unknown_spaces());
  const std::vector<std::string> empty = {""};
  EXPECT_THROW(doc_of_words(vocab, empty, {}), Error);
}

TEST(Spacing, LookingForMissingWordsIsBounded) {
  std::vector<std::string> words(100000, "no");
  const std::string text(1 << 20, 'a');
  EXPECT_EQ(spaces_of(text, words), std::vector<bool>(words.size(), true))
      << "one word, many times";
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = "no" + std::to_string(i);
  EXPECT_THROW(spaces_of(text, words), Error);
  words.resize(200);
  EXPECT_EQ(spaces_of(text, words), std::vector<bool>(words.size(), true)) << "a few words";
}

}  // namespace
}  // namespace weft
