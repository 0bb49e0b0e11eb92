#include "framework/text/chunk_table.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

TokenWord word(StringId orth) {
  TokenWord made;
  made.orth = orth;
  return made;
}

TEST(ChunkTable, FindsWhatWasAddedWhileItGrows) {
  ChunkTable table;
  constexpr StringId kCount = 5000;
  for (StringId i = 1; i <= kCount; ++i) {
    const std::vector<TokenWord> words(1 + i % 3, word(i));
    const std::vector<std::uint32_t> numbers(words.size(), static_cast<std::uint32_t>(7 * i));
    table.add(ChunkKey::of("chunk" + std::to_string(i)), words, numbers, i % 5 == 0);
  }
  for (StringId i = 1; i <= kCount; ++i) {
    const auto* entry = table.find(ChunkKey::of("chunk" + std::to_string(i)));
    ASSERT_NE(entry, nullptr) << i;
    EXPECT_EQ(entry->count, 1 + i % 3);
    EXPECT_EQ(entry->flagged, i % 5 == 0);
    for (std::uint32_t k = 0; k < entry->count; ++k) {
      EXPECT_EQ(table.tokens()[entry->first + k].orth, i);
      EXPECT_EQ(table.number(entry->first + k), 7 * i);
    }
  }
  EXPECT_EQ(table.find(ChunkKey::of("chunk0")), nullptr);
  EXPECT_EQ(table.find(ChunkKey::of("chun")), nullptr);
}

TEST(ChunkTable, NumbersTokensOfChunksWithoutAKey) {
  ChunkTable table;
  const std::vector<TokenWord> words = {word(3), word(4)};
  const std::vector<std::uint32_t> numbers = {0, 1};
  EXPECT_EQ(table.add({}, words, numbers, false).first, 0u);
  const auto entry = table.add({}, words, numbers, true);
  EXPECT_EQ(entry.first, 2u);
  EXPECT_EQ(entry.count, 2u);
  EXPECT_EQ(table.tokens().size(), 4u);
  EXPECT_EQ(table.find(ChunkKey::of("x")), nullptr);
}

TEST(ChunkTable, ForgetsWhenItIsFull) {
  ChunkTable table;
  const std::vector<TokenWord> words(1000, word(9));
  const std::vector<std::uint32_t> numbers(1000);
  table.add(ChunkKey::of("key"), words, numbers, false);
  while (!table.full()) table.add({}, words, numbers, false);
  EXPECT_GE(table.tokens().size(), ChunkTable::kTokens);
  table.forget();
  EXPECT_FALSE(table.full());
  EXPECT_EQ(table.find(ChunkKey::of("key")), nullptr);
  EXPECT_TRUE(table.tokens().empty());
}

}  // namespace
}  // namespace weft
