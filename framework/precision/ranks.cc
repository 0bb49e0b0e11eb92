#include "framework/precision/ranks.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft {

Notices check_ranks(std::span<const RankScale> ranks) {
  const auto all_have = [&](auto member) {
    return std::all_of(ranks.begin(), ranks.end(), [&](const RankScale& rank) {
      return rank.*member == ranks.front().*member;
    });
  };
  const bool same_scale = all_have(&RankScale::scale);
  if (same_scale && all_have(&RankScale::growth_tracker)) return {};
  std::string list;
  for (const RankScale& rank : ranks) {
    if (!list.empty()) list += ", ";
    list += fmt::format("{}", rank.scale);
    if (same_scale) list += fmt::format(" after {}", rank.growth_tracker);
  }
  return {notices::ranks_disagree(list)};
}

}  // namespace weft
