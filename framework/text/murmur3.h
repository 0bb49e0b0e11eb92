// The 128-bit hash that tables of character n-grams are addressed by. Source: A. Appleby,
// MurmurHash3 (x64, 128 bits).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Both 64-bit halves of the hash of the bytes of `text`.
WEFT_API std::array<std::uint64_t, 2> murmur3_128(std::string_view text, std::uint32_t seed);

}  // namespace weft
