// Hash functions whose collisions nobody can prepare: they are mixed with numbers that each process
// draws for itself. No result depends on them, only where things lie in a table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "registry/export.h"

namespace weft {

// Odd numbers, drawn at the start of the process.
WEFT_API extern const std::array<std::uint64_t, 3> kHashSeeds;

// For the tables of the standard library.
struct SeededHash {
  using is_transparent = void;

  std::size_t operator()(std::uint64_t value) const { return mixed(value, 0); }

  std::size_t operator()(std::string_view text) const {
    std::uint64_t hash = text.size();
    for (; text.size() >= 8; text.remove_prefix(8)) hash = mixed(word(text, 8), hash);
    return mixed(word(text, text.size()), hash);
  }

 private:
  static std::uint64_t word(std::string_view text, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, text.data(), bytes);
    return value;
  }
  // Both halves of the product of two numbers that an outsider does not know.
  static std::uint64_t mixed(std::uint64_t value, std::uint64_t before) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{value ^ kHashSeeds[0]} * (before ^ kHashSeeds[1]);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
};

}  // namespace weft
