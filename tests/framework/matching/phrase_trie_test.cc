#include "framework/matching/phrase_trie.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;

// Short lists of keys are searched and long ones are not; both know what they have.
TEST(PhraseTrie, AKeyOfAPhraseIsThereOnceInTheOrderOfAdding) {
  PhraseTrie trie;
  const std::vector<StringId> phrase = {7, 8}, other = {7};
  std::vector<std::uint32_t> expected;
  for (std::uint32_t key = 100; key > 0; --key) {
    trie.add(phrase, key);
    trie.add(phrase, key);
    trie.add(phrase, 100);
    expected.push_back(key);
  }
  for (std::uint32_t key = 1; key <= 20; ++key) trie.add(other, key);
  const PhraseTrie::Node node = trie.next(PhraseTrie::kRoot, 7);
  EXPECT_EQ(trie.keys(node).size(), 20U);
  EXPECT_THAT(trie.keys(trie.next(node, 8)), ::testing::ElementsAreArray(expected));
  EXPECT_EQ(trie.next(node, 9), PhraseTrie::kNone);
  PhraseTrie single;
  single.add(other, 3);
  single.add(other, 3);
  EXPECT_THAT(single.keys(single.next(PhraseTrie::kRoot, 7)), ElementsAre(3));
}

}  // namespace
}  // namespace weft
