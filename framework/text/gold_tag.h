// The gold annotation of one token, as an entity recognizer is taught it.
#pragma once

#include <cstdint>

#include "framework/text/symbols.h"

namespace weft {

// The numbers are those of the transition table in a saved pipeline.
enum class Move : std::uint8_t { missing = 0, begin = 1, in = 2, last = 3, unit = 4, out = 5 };

struct GoldTag {
  Move move = Move::missing;
  StringId label = 0;
  bool operator==(const GoldTag&) const = default;
};

}  // namespace weft
