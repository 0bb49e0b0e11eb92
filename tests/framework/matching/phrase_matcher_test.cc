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

TEST(PhraseMatcher, RefusesAttributesThatPatternsHaveNot) {
  EXPECT_THROW(PhraseMatcher("LOWR"), Error);
  EXPECT_THROW(PhraseMatcher("HEAD"), Error);
}

}  // namespace
}  // namespace weft
