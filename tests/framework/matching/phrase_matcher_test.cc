#include "framework/matching/phrase_matcher.h"

#include <memory>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

TEST(PhraseMatcher, FindsOverlappingPhrasesByStartAndEnd) {
  const auto vocab = std::make_shared<Vocab>("en");
  PhraseMatcher matcher("LOWER");
  matcher.add("A", Doc::from_words(vocab, {"New", "York"}, {}));
  matcher.add("B", Doc::from_words(vocab, {"york", "city"}, {}));
  matcher.add("A", Doc::from_words(vocab, {"new", "york", "city"}, {}));
  const std::vector<PhraseMatch> wanted = {{0, 0, 2}, {0, 0, 3}, {1, 1, 3}};
  EXPECT_EQ(matcher.find(Doc::from_words(vocab, {"NEW", "York", "City"}, {})), wanted);
}

// Many phrases grow the table several times.
TEST(PhraseMatcher, FindsEachOfManyPhrases) {
  const auto vocab = std::make_shared<Vocab>("en");
  PhraseMatcher matcher;
  const auto phrase = [&](int i) {
    const std::string first = "w" + std::to_string(i % 97), second = "v" + std::to_string(i);
    return Doc::from_words(vocab, {first, second}, {});
  };
  for (int i = 0; i < 5000; ++i) matcher.add(std::to_string(i % 7), phrase(i));
  for (int i = 0; i < 5000; ++i) {
    const auto matches = matcher.find(phrase(i));
    ASSERT_EQ(matches.size(), 1U) << i;
    EXPECT_EQ(matcher.keys()[matches[0].key], std::to_string(i % 7));
  }
  EXPECT_TRUE(matcher.find(Doc::from_words(vocab, {"w1", "v2"}, {})).empty());
}

// A text of the beginnings of a long phrase, and phrases that match everywhere.
TEST(PhraseMatcher, GivesUpOnWorkThatGrowsByBothLengths) {
  const auto vocab = std::make_shared<Vocab>("en");
  const auto row = [&](std::size_t length, const char* last) {
    std::vector<std::string> words(length, "a");
    words.back() = last;
    return Doc::from_words(vocab, words);
  };
  PhraseMatcher beginnings;
  beginnings.add("A", row(20000, "b"));
  EXPECT_TRUE(beginnings.find(row(2000, "a")).empty());
  EXPECT_THROW(beginnings.find(row(40000, "a")), Error);
  PhraseMatcher everywhere;
  for (std::size_t length = 1; length < 1000; ++length) everywhere.add("A", row(length, "a"));
  EXPECT_EQ(everywhere.find(row(100, "a")).size(), 5050U);
  EXPECT_THROW(everywhere.find(row(4800, "a")), Error);  // by the number of its matches
  EXPECT_THROW(everywhere.find(row(20000, "a")), Error);
}

TEST(PhraseMatcher, RefusesAttributesThatPatternsHaveNot) {
  EXPECT_THROW(PhraseMatcher("LOWR"), Error);
  EXPECT_THROW(PhraseMatcher("HEAD"), Error);
}

}  // namespace
}  // namespace weft
