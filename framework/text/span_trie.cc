#include "framework/text/span_trie.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

void mark(std::vector<bool>& marks, std::uint32_t word) {
  if (marks.size() <= word) marks.resize(word + 1);
  marks[word] = true;
}

bool marked(const std::vector<bool>& marks, std::uint32_t word) {
  return word < marks.size() && marks[word];
}

}  // namespace

// Sequences are stored backwards, from the last token on; those that end alike share nodes.
bool SpanTrie::add(std::span<const std::uint32_t> words) {
  if (words.empty()) return true;
  if (words.size() > kMostTokens - (nodes_.size() - 1)) return false;
  mark(starts_, words.front());
  mark(ends_, words.back());
  std::uint32_t node = 0;
  for (std::size_t i = words.size(); i > 0; --i) {
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    const auto [place, added] = edges_.try_emplace(edge(node, words[i - 1]), next);
    if (added) nodes_.push_back({node, words[i - 1], 0, nodes_[node].depth + 1, 0});
    node = place->second;
  }
  nodes_[node].longest = nodes_[node].depth;
  return true;
}

// The transition of Aho and Corasick (1975). A step goes down by one node at most, and every
// fallback goes up: over a text all steps together take linear time. The marks of last words save
// the look-up for the many words that end no sequence.
std::uint32_t SpanTrie::step(std::uint32_t node, std::uint32_t word) const {
  while (true) {
    if (node == 0 && !marked(ends_, word)) return 0;
    const auto next = edges_.find(edge(node, word));
    if (next != edges_.end()) return next->second;
    if (node == 0) return 0;
    node = nodes_[node].fallback;
  }
}

// Fallbacks are found in the order of depth: that of a node follows from that of its parent, and
// lies less deep than the node itself. A node takes over the longest sequence of its fallback
// unless it ends one itself, which is longer.
void SpanTrie::link() {
  std::vector<std::uint32_t> by_depth(nodes_.size());
  std::iota(by_depth.begin(), by_depth.end(), 0U);
  std::stable_sort(by_depth.begin(), by_depth.end(), [this](std::uint32_t a, std::uint32_t b) {
    return nodes_[a].depth < nodes_[b].depth;
  });
  for (const std::uint32_t id : by_depth) {
    Node& node = nodes_[id];
    if (node.depth > 1) node.fallback = step(nodes_[node.parent].fallback, node.word);
    if (node.longest == 0) node.longest = nodes_[node.fallback].longest;
  }
}

std::vector<SequenceRange> SpanTrie::longest(std::span<const std::uint32_t> words) const {
  std::vector<SequenceRange> found;
  std::uint32_t node = 0;
  for (std::size_t i = words.size(); i > 0; --i) {
    node = words[i - 1] == 0 ? 0 : step(node, words[i - 1]);
    const std::size_t tokens = nodes_[node].longest;
    if (tokens > 0) found.push_back({i - 1, i - 1 + tokens});
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<SequenceRange> select_ranges(std::vector<SequenceRange> found, std::size_t tokens) {
  std::stable_sort(found.begin(), found.end(), [](SequenceRange a, SequenceRange b) {
    const std::size_t length_a = a.end - a.begin, length_b = b.end - b.begin;
    return length_a != length_b ? length_a > length_b : a.begin < b.begin;
  });
  // The next token from each that lies in no range yet, found by way of others and shortened as it
  // is followed: each token is marked once, however the ranges overlap.
  std::vector<std::size_t> next_free(tokens + 1);
  std::iota(next_free.begin(), next_free.end(), std::size_t{0});
  const auto free_from = [&](std::size_t token) {
    while (next_free[token] != token) {
      next_free[token] = next_free[next_free[token]];
      token = next_free[token];
    }
    return token;
  };
  std::vector<SequenceRange> taken;
  for (const SequenceRange range : found) {
    const bool begin_free = next_free[range.begin] == range.begin;
    if (begin_free && next_free[range.end - 1] == range.end - 1) taken.push_back(range);
    for (std::size_t i = free_from(range.begin); i < range.end; i = free_from(i)) {
      next_free[i] = i + 1;
    }
  }
  std::sort(taken.begin(), taken.end(),
            [](SequenceRange a, SequenceRange b) { return a.begin < b.begin; });
  return taken;
}

}  // namespace weft
