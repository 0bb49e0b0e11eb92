// A pattern of tokens, compiled: its items in the order in which a match goes through them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/matching/token_test.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// One token that passes (or fails) a test, as often as `count` says.
struct PatternItem {
  enum class Count : std::uint8_t { one, optional, any };
  std::uint32_t test = 0;
  std::uint32_t token = 0;  // its place in the pattern as it was written
  Count count = Count::one;
  bool negated = false;
};

struct TokenPattern {
  std::uint32_t key = 0;
  std::vector<PatternItem> items;
  // Items that may be left out or repeated; with two of them a match can come about in several
  // ways.
  std::size_t variable_items = 0;
};

// How many items a pattern may have, with every {n} written out.
inline constexpr std::size_t kMostPatternItems = 10'000;

// A pattern whose tokens all come {0} times has no item. Throws Error(data), which begins with
// `place`, for a pattern that has no token, or too many, or whose tokens do not compile.
WEFT_API TokenPattern compile_pattern(const List& pattern, const std::string& place,
                                      TestTable& table, std::vector<std::string>& warnings);

}  // namespace weft
