// How much the file of a config may hold, whatever its dialect.
#pragma once

#include <cstddef>

namespace weft {

// Sections, settings, and the values in their lists and objects. Each is a node with its place, of
// which a run keeps several copies.
inline constexpr std::size_t kMostConfigValues = std::size_t{1} << 18;

inline constexpr int kMostConfigLines = 16'000'000;
// Levels of sections, and parts of a dotted name.
inline constexpr int kDeepestConfig = 512;

}  // namespace weft
