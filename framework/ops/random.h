// Counter-based random numbers: a draw depends on (seed, step, site, element) and on nothing that
// was drawn before, so the order of work and the number of threads never matter.
// Source: Salmon, Moraes, Dror, Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3".
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace weft {

// Philox4x32-10: four words from a 128-bit counter and a 64-bit key.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                              std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

// [0, 1) with 24 bits.
constexpr float unit_float(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24F;
}

// FNV-1a: turns the name of a site into a number.
constexpr std::uint64_t site_hash(std::string_view site) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : site) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// One stream of draws: fixed seed, step and site; indexed by element.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::uint64_t step, std::uint64_t site)
      : key_{static_cast<std::uint32_t>(seed ^ site),
             static_cast<std::uint32_t>((seed ^ site) >> 32)},
        step_(step ^ (site * 0x9E3779B97F4A7C15)) {}

  // Four words for elements 4*block ... 4*block+3.
  constexpr std::array<std::uint32_t, 4> block(std::uint64_t block) const {
    return philox(counter(block), key_);
  }
  // The input of `philox` for a block, for kernels that compute many of them side by side.
  constexpr std::array<std::uint32_t, 4> counter(std::uint64_t block) const {
    return {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
            static_cast<std::uint32_t>(step_), static_cast<std::uint32_t>(step_ >> 32)};
  }
  constexpr std::array<std::uint32_t, 2> key() const { return key_; }
  constexpr float uniform(std::uint64_t element) const {
    return unit_float(block(element / 4)[element % 4]);
  }
  // A standard normal number (Box-Muller).
  float normal(std::uint64_t element) const {
    const auto words = block(element);
    const double radius = std::sqrt(-2.0 * std::log((words[0] + 1.0) * 0x1p-32));
    return static_cast<float>(radius * std::cos(6.283185307179586 * (words[1] * 0x1p-32)));
  }
  // A number in [0, bound), bound > 0.
  constexpr std::uint64_t below(std::uint64_t element, std::uint64_t bound) const {
    const auto words = block(element);
    return ((std::uint64_t{words[0]} << 32) | words[1]) % bound;
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint64_t step_;
};

}  // namespace weft
