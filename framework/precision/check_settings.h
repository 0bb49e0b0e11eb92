// What [training.precision] may say: levels and shorthands, ranges, and the combinations that are
// refused or warned of. Source: docs/precision.md, "Refused combinations".
#pragma once

#include <optional>

#include "framework/precision/policy.h"

namespace weft {

// What the key `level` stands for, shorthands included.
struct ChosenLevel {
  Level level = Level::O0;
  LowFormat dtype = LowFormat::fp16;
  bool tf32 = false;
};

// The level, or nothing and P001.
std::optional<ChosenLevel> read_level(const PrecisionSettings& settings, Notices& notices);

// P008 for each number out of its range.
void check_ranges(const PrecisionSettings& settings, Notices& notices);

// P002 to P006 for a policy whose fields are settled, and notes on settings without effect.
void check_combinations(const PrecisionPolicy& policy, Notices& notices);

}  // namespace weft
