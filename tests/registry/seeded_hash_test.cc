#include "registry/base/seeded_hash.h"

#include <set>
#include <string>
#include <unordered_set>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(SeededHash, IsOfTheProcess) {
  EXPECT_NE(kHashSeeds.first, 0u);
  EXPECT_EQ(kHashSeeds.second & 1, 1u);
  EXPECT_EQ(seeded_hash(7), seeded_hash(7));
  EXPECT_NE(seeded_hash(7), 7u);
}

// Keys that differ in a few bits, wherever these are, spread over the last bits of their hashes.
TEST(SeededHash, SpreadsKeysThatDifferInFewBits) {
  for (const int shift : {0, 20, 40, 48}) {
    std::set<std::uint64_t> places;
    for (std::uint64_t i = 0; i < 4096; ++i) places.insert(seeded_hash(i << shift) & 4095);
    EXPECT_GT(places.size(), 2000u) << shift;  // of random places 63 %
  }
}

TEST(SeededHash, TextsOfAnyLength) {
  std::set<std::uint64_t> hashes;
  std::string text;
  for (int length = 0; length < 100; ++length, text += 'a') {
    hashes.insert(seeded_hash(std::string_view(text)));
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string other = text;
      other[i] = '\0';
      EXPECT_NE(seeded_hash(std::string_view(other)), seeded_hash(std::string_view(text)));
    }
  }
  EXPECT_EQ(hashes.size(), 100u);
}

TEST(SeededHash, FindsWithoutACopy) {
  std::unordered_set<std::string, SeededHash, std::equal_to<>> texts = {"a", "b"};
  EXPECT_TRUE(texts.contains(std::string_view("b")));
  EXPECT_FALSE(texts.contains(std::string_view("c")));
}

}  // namespace
}  // namespace weft
