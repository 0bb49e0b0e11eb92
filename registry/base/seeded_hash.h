// Hashes for tables whose keys come from files. They depend on numbers that every process draws
// anew, so that nobody can write a file whose keys all fall into the same place of a table, where
// each look-up would take as long as the table is large. Nothing may depend on the order that
// these hashes give.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

struct HashSeeds {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

// Drawn from the system when the library is loaded, the same until the process ends.
extern WEFT_API const HashSeeds kHashSeeds;

// Both halves of the 128-bit product: every bit of the result depends on all bits of both.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Twice: the low bits of one product depend on the high bits of the key by few bits of the factor.
inline std::uint64_t seeded_hash(std::uint64_t key) {
  return folded_product(folded_product(key ^ kHashSeeds.first, kHashSeeds.second),
                        kHashSeeds.second);
}

inline std::uint64_t seeded_hash(std::string_view text) {
  std::uint64_t hash = kHashSeeds.first ^ text.size();
  std::uint64_t words[2];
  for (; text.size() > sizeof words; text.remove_prefix(sizeof words)) {
    std::memcpy(words, text.data(), sizeof words);
    hash = folded_product(words[0] ^ kHashSeeds.second, words[1] ^ hash);
  }
  words[0] = words[1] = 0;
  if (!text.empty()) std::memcpy(words, text.data(), text.size());
  hash = folded_product(words[0] ^ kHashSeeds.second, words[1] ^ hash);
  return folded_product(hash ^ kHashSeeds.first, kHashSeeds.second);
}

// For the standard library's containers; texts are looked up without a copy.
struct SeededHash {
  using is_transparent = void;
  std::size_t operator()(std::uint64_t key) const { return seeded_hash(key); }
  std::size_t operator()(std::string_view text) const { return seeded_hash(text); }
};

}  // namespace weft
