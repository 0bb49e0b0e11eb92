#include "registry/base/seeded_hash.h"

#include <chrono>

#include <unistd.h>

namespace weft {
namespace {

HashSeeds drawn_seeds() {
  HashSeeds seeds;
  if (::getentropy(&seeds, sizeof seeds) != 0) {
    // Where the system has no random numbers, the time still differs from process to process.
    const auto now = std::chrono::high_resolution_clock::now().time_since_epoch().count();
    seeds.first = static_cast<std::uint64_t>(now) * 0x9E3779B97F4A7C15;
    seeds.second = folded_product(seeds.first, 0xD6E8FEB86659FD93);
  }
  seeds.second |= 1;  // a factor of zero would make all hashes equal
  return seeds;
}

}  // namespace

const HashSeeds kHashSeeds = drawn_seeds();

}  // namespace weft
