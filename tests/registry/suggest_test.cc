#include "registry/base/suggest.h"

#include <gmock/gmock.h>

namespace weft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SuggestTest, OffersSmallMistakes) {
  EXPECT_THAT(nearest("learn_rat", {"beta1", "learn_rate", "L2"}), ElementsAre("learn_rate"));
  EXPECT_THAT(nearest("dorpout", {"dropout", "patience"}), ElementsAre("dropout"));
  EXPECT_THAT(nearest("Adam.v1", {"RAdam.v1", "Adam.v2"}), ElementsAre("RAdam.v1", "Adam.v2"));
}

TEST(SuggestTest, OffersNothingUnrelated) {
  EXPECT_THAT(nearest("seed", {"patience", "logger"}), IsEmpty());
  EXPECT_THAT(nearest("", {"patience"}), IsEmpty());
  EXPECT_THAT(nearest("dropout", {"dropout"}), IsEmpty());
}

TEST(SuggestTest, NearestFirstAndNoMoreThanAsked) {
  EXPECT_THAT(nearest("abcdef", {"abcxyf", "abcdex", "abcdef2"}, 2),
              ElementsAre("abcdex", "abcdef2"));
}

TEST(SuggestTest, JoinsWithOr) {
  EXPECT_EQ(join_or({}), "");
  EXPECT_EQ(join_or({"a"}), "a");
  EXPECT_EQ(join_or({"a", "b"}), "a or b");
  EXPECT_EQ(join_or({"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace weft
