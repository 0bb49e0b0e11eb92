#include "tests/tools/hostile/colliding_texts.h"

#include <cstring>
#include <random>
#include <stdexcept>

#include "framework/text/string_store.h"

namespace weft::testing_tools {
namespace {

constexpr std::uint64_t kMultiplier = 0xc6a4a7935bd1e995;  // of the hash
constexpr int kShift = 47;
constexpr std::uint64_t kAscii = 0x8080808080808080;  // no such bit in seven-bit characters

constexpr std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t inverse = odd;  // right in three bits; every step doubles their number
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}
constexpr std::uint64_t kInverse = inverse_of(kMultiplier);

// `x ^ x >> kShift` takes itself back, as the shift is more than half of the bits.
std::uint64_t shifted(std::uint64_t x) {
  return x ^ x >> kShift;
}

std::uint64_t mixed(std::uint64_t word) {
  return shifted(word * kMultiplier) * kMultiplier;
}

// The second word of the text that begins with `first` and has this hash.
std::uint64_t second_word(std::uint64_t first, std::uint64_t hash) {
  const std::uint64_t seeded = 1 ^ 16 * kMultiplier;
  const std::uint64_t behind_first = (seeded ^ mixed(first)) * kMultiplier;
  const std::uint64_t behind_second = shifted(shifted(hash) * kInverse);
  const std::uint64_t word = behind_second * kInverse ^ behind_first;
  return shifted(word * kInverse) * kInverse;
}

}  // namespace

std::vector<std::string> colliding_texts(std::uint64_t count) {
  std::mt19937_64 draw(7);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    const std::uint64_t hash = draw() << 24 | 0x5EED5E;
    const std::uint64_t first = (draw() & 0x0F0F0F0F0F0F0F0F) | 0x4040404040404040;
    const std::uint64_t words[] = {first, second_word(first, hash)};
    if ((words[1] & kAscii) != 0) continue;
    std::string text(sizeof words, '\0');
    std::memcpy(text.data(), words, sizeof words);
    if (string_id(text) != hash) throw std::logic_error("another hash than was asked for");
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace weft::testing_tools
