#include "framework/text/seeded_hash.h"

#include <chrono>

#include <sys/random.h>

namespace weft {
namespace {

std::array<std::uint64_t, 3> drawn() {
  std::array<std::uint64_t, 3> seeds = {};
  const auto wanted = static_cast<ssize_t>(sizeof seeds);
  if (::getrandom(seeds.data(), sizeof seeds, GRND_NONBLOCK) != wanted) {
    // Early at a machine's start: what nobody outside knows exactly either.
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const auto here = reinterpret_cast<std::uintptr_t>(&now);
    seeds = {static_cast<std::uint64_t>(now) * 0x9E3779B97F4A7C15,
             std::uint64_t{here} * 0xC2B2AE3D27D4EB4F,
             (static_cast<std::uint64_t>(now) ^ here) * 0xD6E8FEB86659FD93};
  }
  for (std::uint64_t& seed : seeds) seed |= 1;
  return seeds;
}

}  // namespace

const std::array<std::uint64_t, 3> kHashSeeds = drawn();

}  // namespace weft
