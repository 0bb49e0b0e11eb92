// A chunk of a text as a key that fits into three registers: found, loaded and compared a word at a
// time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "registry/base/seeded_hash.h"

namespace weft {

// The bytes of a chunk with zeros behind them, so chunks that hold a zero byte have no key.
struct ChunkKey {
  static constexpr std::size_t kLongest = 24;  // bytes
  std::uint64_t words[3] = {};

  bool operator==(const ChunkKey& other) const {
    return ((words[0] ^ other.words[0]) | (words[1] ^ other.words[1]) |
            (words[2] ^ other.words[2])) == 0;
  }
  bool empty() const { return words[0] == 0; }

  // Mixed into the high bits, by numbers of the process: texts come from anybody.
  std::uint64_t hash() const {
    return folded_product(words[0] ^ kHashSeeds.first, words[1] ^ kHashSeeds.second) +
           words[2] * kHashSeeds.second;
  }

  // The key of a whole chunk; an empty one where it has none.
  static ChunkKey of(std::string_view chunk) {
    ChunkKey key;
    if (chunk.size() > kLongest || chunk.find('\0') != chunk.npos) return key;
    std::memcpy(key.words, chunk.data(), chunk.size());
    return key;
  }
};

// The bytes from `begin` on up to the first that is blank, a control character or not ASCII, or up
// to ChunkKey::kLongest; sets `key` to them. Gives their number, 0 on machines that are not little
// endian. `begin` lies inside the text.
inline std::size_t load_key(std::string_view text, std::size_t begin, ChunkKey& key) {
  if constexpr (std::endian::native != std::endian::little) return 0;
  std::uint64_t words[3] = {};
  const std::size_t rest = text.size() - begin;
  if (rest >= ChunkKey::kLongest) {
    std::memcpy(words, text.data() + begin, ChunkKey::kLongest);  // three loads
  } else {
    std::memcpy(words, text.data() + begin, rest);
  }
  key = ChunkKey();
  for (std::size_t i = 0; i < 3; ++i) {
    // Sets the high bit of every byte that ends the run; the lowest of them is exact.
    const std::uint64_t ends = ((words[i] - 0x2121212121212121) | words[i]) & 0x8080808080808080;
    if (ends == 0) {
      key.words[i] = words[i];
      continue;
    }
    key.words[i] = words[i] & (((ends & (~ends + 1)) >> 7) - 1);
    return 8 * i + static_cast<std::size_t>(std::countr_zero(ends)) / 8;
  }
  return ChunkKey::kLongest;
}

}  // namespace weft
