#include "framework/text/murmur3.h"

#include <gtest/gtest.h>

#include "framework/ops/hash_embed.h"

namespace weft {
namespace {

struct Case {
  const char* text;
  std::array<std::uint64_t, 4> words;
};

// Recorded from spaCy 3.8 (Vectors of mode floret), seed 7: the 32-bit words of both halves.
TEST(Murmur3, GivesTheRecordedHashes) {
  const Case cases[] = {
      {"", {3319712143, 4093822298, 2171673602, 770017014}},
      {"a", {3769166408, 1834209185, 1913195155, 1607678051}},
      {"über", {2354002151, 3465897580, 3565774034, 3714282801}},
      {"internationalization", {3289905127, 532246870, 3347884190, 508244420}},
      {"0123456789abcdef", {1219621253, 1343004726, 2224755627, 3586302579}},
      {"0123456789abcdefg", {3618649322, 2033023790, 3366981388, 328688864}},
  };
  for (const Case& one : cases) {
    const auto [low, high] = murmur3_128(one.text, 7);
    const std::array<std::uint64_t, 4> words = {low & 0xffffffff, low >> 32, high & 0xffffffff,
                                                high >> 32};
    EXPECT_EQ(words, one.words) << one.text;
  }
}

TEST(Murmur3, AgreesWithTheHashOfAnIdOfEightBytes) {
  const std::uint64_t id = 0x670e66a635739a92;
  const std::string_view bytes(reinterpret_cast<const char*>(&id), sizeof id);
  const auto [low, high] = murmur3_128(bytes, 11);
  const HashKeys keys = hash_keys(id, 11);
  EXPECT_EQ(low, std::uint64_t{keys.key[1]} << 32 | keys.key[0]);
  EXPECT_EQ(high, std::uint64_t{keys.key[3]} << 32 | keys.key[2]);
}

}  // namespace
}  // namespace weft
