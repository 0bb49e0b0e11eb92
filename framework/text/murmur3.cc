#include "framework/text/murmur3.h"

#include <bit>
#include <cstring>

namespace weft {
namespace {

constexpr std::uint64_t kFirst = 0x87c37b91114253d5;
constexpr std::uint64_t kSecond = 0x4cf5ad432745937f;

std::uint64_t mixed_first(std::uint64_t word) {
  return std::rotl(word * kFirst, 31) * kSecond;
}

std::uint64_t mixed_second(std::uint64_t word) {
  return std::rotl(word * kSecond, 33) * kFirst;
}

std::uint64_t finished(std::uint64_t hash) {
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
  return hash ^ (hash >> 33);
}

}  // namespace

std::array<std::uint64_t, 2> murmur3_128(std::string_view text, std::uint32_t seed) {
  constexpr std::size_t kBlock = 16;
  std::uint64_t a = seed, b = seed;
  std::uint64_t words[2];
  std::size_t at = 0;
  for (; at + kBlock <= text.size(); at += kBlock) {
    std::memcpy(words, text.data() + at, kBlock);
    a = (std::rotl(a ^ mixed_first(words[0]), 27) + b) * 5 + 0x52dce729;
    b = (std::rotl(b ^ mixed_second(words[1]), 31) + a) * 5 + 0x38495ab5;
  }
  words[0] = words[1] = 0;
  std::memcpy(words, text.data() + at, text.size() - at);
  a ^= mixed_first(words[0]) ^ text.size();
  b ^= mixed_second(words[1]) ^ text.size();
  a += b;
  b += a;
  a = finished(a);
  b = finished(b);
  a += b;
  return {a, b + a};
}

}  // namespace weft
