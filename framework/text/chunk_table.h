// A cache of recent chunks: their tokens with the attributes of the words. One look-up by the bytes
// of a chunk gives all that a document takes over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/text/chunk_key.h"
#include "framework/text/token_table.h"
#include "registry/base/export.h"

namespace weft {

// Tokens stay until they are all forgotten, so that a text's tokens can be given by their numbers.
// For one thread at a time.
class WEFT_API ChunkTable {
 public:
  struct Entry {
    ChunkKey key;
    std::uint32_t first = 0;       // token
    std::uint32_t count : 31 = 0;  // 0 = a free place
    std::uint32_t flagged : 1 = 0;
  };
  // Memory by the number of tokens: at most some 200 bytes each.
  static constexpr std::size_t kTokens = std::size_t{1} << 16;

  // Null where the chunk is not known; valid until the next `add`.
  const Entry* find(const ChunkKey& key) const {
    const Entry& entry = entries_[place_of(key)];
    return entry.count == 0 ? nullptr : &entry;
  }

  // Numbers the tokens of a chunk; `flagged` is for the caller, `numbers` are kept beside them. An
  // empty key: nobody will ask again. At least one token.
  Entry add(const ChunkKey& key, std::span<const TokenWord> tokens,
            std::span<const std::uint32_t> numbers, bool flagged);

  std::span<const TokenWord> tokens() const { return tokens_; }
  std::uint32_t number(std::uint32_t token) const { return numbers_[token]; }

  // Every so many tokens all of them have to go, between two texts.
  bool full() const { return tokens_.size() >= kTokens; }
  void forget();

 private:
  static constexpr int kFirstBits = 10;
  std::size_t place_of(const ChunkKey& key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t place = key.hash() >> shift_;
    while (entries_[place].count != 0 && !(entries_[place].key == key)) place = (place + 1) & mask;
    return place;
  }
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kFirstBits);
  int shift_ = 64 - kFirstBits;  // a power of two of places, at most half of them taken
  std::size_t taken_ = 0;
  std::vector<TokenWord> tokens_;
  std::vector<std::uint32_t> numbers_;  // one per token
};

}  // namespace weft
