#include "framework/text/parse_tree.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace weft {
namespace {

// spaCy gives up on parses that do not settle after so many rounds.
constexpr int kMostRounds = 12;
// Heads that lie further above a token are not looked for: those of hostile files form chains
// through the whole document.
constexpr int kMostAncestors = 10000;

// Hands the edges of every token to its head, once forwards and once backwards: enough for
// projective trees.
void spread_edges(std::span<const std::int32_t> heads, SubtreeEdges& edges) {
  const int size = static_cast<int>(heads.size());
  const auto spread = [&](int i) {
    const int head = i + heads[i];
    edges.left[head] = std::min(edges.left[head], edges.left[i]);
    edges.right[head] = std::max(edges.right[head], edges.right[i]);
  };
  for (int i = 0; i < size; ++i) spread(i);
  for (int i = size - 1; i >= 0; --i) spread(i);
}

// Whether every head lies in the sentence of its token, as far as spaCy looks: not for the last
// token of all.
bool heads_within_sents(std::span<const std::int32_t> heads, const std::vector<int>& left) {
  const int size = static_cast<int>(heads.size());
  std::vector<bool> starts(heads.size(), false);
  for (int i = 0; i < size; ++i) {
    if (heads[i] == 0) starts[left[i]] = true;
  }
  int start = 0;
  for (int i = 0; i < size; ++i) {
    if (!(i > 0 && starts[i]) && i != size - 1) continue;
    for (int j = start; j < i; ++j) {
      if (j + heads[j] < start || j + heads[j] > i) return false;
    }
    start = i;
  }
  return true;
}

}  // namespace

SubtreeEdges subtree_edges(std::span<const std::int32_t> heads) {
  SubtreeEdges edges;
  edges.left.resize(heads.size());
  std::iota(edges.left.begin(), edges.left.end(), 0);
  edges.right = edges.left;
  for (int round = 0; round < kMostRounds; ++round) {
    spread_edges(heads, edges);
    if (heads_within_sents(heads, edges.left)) break;
  }
  return edges;
}

PartOfTree part_of_tree(std::span<const std::int32_t> heads, std::span<const StringId> deps,
                        int start, int end) {
  PartOfTree part{{heads.begin() + start, heads.begin() + end}, {}};
  const auto is_inside = [&](int token) { return start <= token && token < end; };
  std::map<int, int> by_lost_root;
  for (int i = start; i < end; ++i) {
    if (is_inside(i + heads[i])) continue;
    if (deps.empty() || deps[i] == 0) {
      part.heads[i - start] = 0;
      continue;
    }
    part.cut.push_back(i - start);
    int root = i, inside = -1;
    for (int left = kMostAncestors; left > 0 && heads[root] != 0; --left) {
      root += heads[root];
      if (is_inside(root)) inside = root;
    }
    if (inside < 0) inside = by_lost_root.emplace(root, i).first->second;
    part.heads[i - start] = inside - i;
  }
  return part;
}

std::vector<std::int8_t> sent_starts_of_heads(std::span<const std::int32_t> heads,
                                              std::span<const StringId> deps) {
  const std::vector<int> left = subtree_edges(heads).left;
  std::vector<std::int8_t> starts(heads.size(), -1);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i] == 0 && deps[i] != 0) starts[left[i]] = 1;
  }
  return starts;
}

}  // namespace weft
