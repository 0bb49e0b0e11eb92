// Of matches that share tokens, the ones that are kept.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "framework/matching/matcher.h"

namespace weft {
namespace {

// Sorts the matches of one key and takes those whose tokens are free.
void take_free(std::vector<TokenMatch> matches, Greedy greedy, std::vector<TokenMatch>& taken) {
  // The first in this order is taken first.
  const auto rank = [&](const TokenMatch& match) {
    const int shortness = match.start - match.end;
    return greedy == Greedy::first ? std::pair(match.start, shortness)
                                   : std::pair(shortness, match.start);
  };
  std::stable_sort(matches.begin(), matches.end(),
                   [&](const TokenMatch& a, const TokenMatch& b) { return rank(a) < rank(b); });
  // Taken stretches by their starts; they do not overlap.
  std::map<int, int> stretches;
  for (TokenMatch& match : matches) {
    const auto after = stretches.lower_bound(match.start);
    if (after != stretches.end() && after->first < match.end) continue;
    if (after != stretches.begin() && std::prev(after)->second > match.start) continue;
    stretches.emplace(match.start, match.end);
    taken.push_back(std::move(match));
  }
}

}  // namespace

std::vector<TokenMatch> keep_greedy(std::vector<TokenMatch> matches,
                                    std::span<const Greedy> greedy) {
  std::vector<TokenMatch> kept;
  std::vector<std::uint32_t> order;  // of keys, by their first match
  std::map<std::uint32_t, std::vector<TokenMatch>> by_key;
  for (TokenMatch& match : matches) {
    if (greedy[match.key] == Greedy::all) {
      kept.push_back(std::move(match));
      continue;
    }
    std::vector<TokenMatch>& own = by_key[match.key];
    if (own.empty()) order.push_back(match.key);
    own.push_back(std::move(match));
  }
  for (const std::uint32_t key : order) take_free(std::move(by_key[key]), greedy[key], kept);
  return kept;
}

}  // namespace weft
