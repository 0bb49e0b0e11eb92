#include "framework/text/span_trie.h"

#include <algorithm>

namespace weft {

void SpanTrie::add(std::span<const std::uint32_t> words) {
  if (words.empty()) return;
  if (starts_.size() <= words[0]) starts_.resize(words[0] + 1);
  starts_[words[0]] = true;
  std::uint32_t node = 0;
  for (const std::uint32_t word : words) {
    const auto next = static_cast<std::uint32_t>(complete_.size());
    const auto [place, added] = edges_.try_emplace(edge(node, word), next);
    if (added) complete_.push_back(false);
    node = place->second;
  }
  complete_[node] = true;
}

void SpanTrie::match(std::span<const std::uint32_t> words, std::size_t begin,
                     std::vector<TokenRange>& found) const {
  std::uint32_t node = 0;
  for (std::size_t i = begin; i < words.size() && words[i] != 0; ++i) {
    const auto next = edges_.find(edge(node, words[i]));
    if (next == edges_.end()) return;
    node = next->second;
    if (complete_[node]) found.push_back({begin, i + 1});
  }
}

std::vector<TokenRange> select_ranges(std::vector<TokenRange> found, std::size_t tokens) {
  std::sort(found.begin(), found.end(), [](TokenRange a, TokenRange b) {
    const std::size_t length_a = a.end - a.begin, length_b = b.end - b.begin;
    return length_a != length_b ? length_a > length_b : a.begin < b.begin;
  });
  std::vector<bool> seen(tokens);
  std::vector<TokenRange> taken;
  for (const TokenRange range : found) {
    if (!seen[range.begin] && !seen[range.end - 1]) taken.push_back(range);
    for (std::size_t i = range.begin; i < range.end; ++i) seen[i] = true;
  }
  std::sort(taken.begin(), taken.end(),
            [](TokenRange a, TokenRange b) { return a.begin < b.begin; });
  return taken;
}

}  // namespace weft
