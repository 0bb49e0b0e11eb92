// The hash behind every string id. Source: A. Appleby, MurmurHash2 (64-bit variant A), seed 1, as
// spaCy 3.8 uses it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace weft {

// MurmurHash64A of the bytes of `text`.
inline std::uint64_t murmur_hash64(std::string_view text, std::uint64_t seed = 1) {
  constexpr std::uint64_t kMultiplier = 0xc6a4a7935bd1e995ULL;
  constexpr int kShift = 47;
  std::uint64_t hash = seed ^ (text.size() * kMultiplier);
  const char* bytes = text.data();
  const std::size_t whole = text.size() & ~std::size_t{7};
  for (std::size_t i = 0; i < whole; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    word *= kMultiplier;
    word ^= word >> kShift;
    word *= kMultiplier;
    hash ^= word;
    hash *= kMultiplier;
  }
  if (text.size() > whole) {
    std::uint64_t tail = 0;
    std::memcpy(&tail, bytes + whole, text.size() - whole);
    hash ^= tail;
    hash *= kMultiplier;
  }
  hash ^= hash >> kShift;
  hash *= kMultiplier;
  hash ^= hash >> kShift;
  return hash;
}

}  // namespace weft
