#include "framework/text/chunk_key.h"

#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

std::size_t loaded(const std::string& text, std::size_t begin = 0) {
  ChunkKey key;
  return load_key(text, begin, key);
}

class LoadKey : public ::testing::Test {
 protected:
  void SetUp() override {
    if constexpr (std::endian::native != std::endian::little) GTEST_SKIP();
  }
};

TEST_F(LoadKey, StopsAtBlanksControlsAndBytesBeyondAscii) {
  EXPECT_EQ(loaded("word next"), 4u);
  EXPECT_EQ(loaded("word"), 4u);
  EXPECT_EQ(loaded(" word"), 0u);
  EXPECT_EQ(loaded("tab\there and some more text behind it"), 3u);
  EXPECT_EQ(loaded("gr\xc3\xb6\xc3\x9f"), 2u);
  EXPECT_EQ(loaded("a~!\x7f|b"), 6u);  // 0x7F is no blank
  EXPECT_EQ(loaded(std::string("nul\0nul", 7)), 3u);
  EXPECT_EQ(loaded(std::string("\x1c") + "x"), 0u);
}

TEST_F(LoadKey, FindsTheEndAtEveryLengthWithAnyTextBehindIt) {
  for (std::size_t length = 1; length <= 30; ++length) {
    const std::string word = std::string("abcdefghijklmnopqrstuvwxyzABCD").substr(0, length);
    for (const std::string tail :
         {"", " ", " and words that go on behind it for a while", "\xff"}) {
      ChunkKey key;
      const std::size_t size = load_key("##" + word + tail, 2, key);
      EXPECT_EQ(size, std::min(length, ChunkKey::kLongest)) << word << tail;
      EXPECT_TRUE(key == ChunkKey::of(word.substr(0, size))) << word << tail;
    }
  }
}

TEST(ChunkKey, HoldsChunksWithoutZeroBytesUpToItsSize) {
  EXPECT_FALSE(ChunkKey::of("Größe").empty());
  EXPECT_TRUE(ChunkKey::of("").empty());
  EXPECT_FALSE(ChunkKey::of(std::string(24, 'x')).empty());
  EXPECT_TRUE(ChunkKey::of(std::string(25, 'x')).empty());
  EXPECT_TRUE(ChunkKey::of(std::string("a\0b", 3)).empty());
}

TEST(ChunkKey, TellsChunksApart) {
  EXPECT_TRUE(ChunkKey::of("abc") == ChunkKey::of("abc"));
  EXPECT_FALSE(ChunkKey::of("abc") == ChunkKey::of("abcd"));
  EXPECT_FALSE(ChunkKey::of("12345678a") == ChunkKey::of("12345678b"));
  EXPECT_FALSE(ChunkKey::of("1234567812345678a") == ChunkKey::of("1234567812345678"));
  EXPECT_NE(ChunkKey::of("12345678a").hash(), ChunkKey::of("12345678b").hash());
}

}  // namespace
}  // namespace weft
