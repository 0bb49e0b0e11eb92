// How many code points a match can take: Python looks behind by one width alone.
#pragma once

#include <cstdint>
#include <span>

#include "framework/regex/syntax.h"

namespace weft {

struct RegexWidth {
  std::uint64_t least = 0, most = 0;  // kMost: any number

  static constexpr std::uint64_t kMost = RegexNode::kUnlimited;
  bool is_fixed() const { return least == most; }
};

// As Python's `getwidth`; `groups` has the widths of the groups that are closed, that of number 1
// first.
RegexWidth width_of(const RegexNode& node, std::span<const RegexWidth> groups);

}  // namespace weft
