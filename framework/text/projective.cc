#include "framework/text/projective.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "framework/text/parse_tree.h"
#include "framework/text/vocab.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// Tokens looked at while arcs of a document are lifted. A sentence of a treebank takes up to some
// thousand for each of its tokens. Finding out what lies below a token takes as long as looking at
// it so many times.
constexpr std::int64_t kSteps = std::int64_t{1} << 22, kStepsPerToken = 1 << 13;
constexpr std::int64_t kStepsOfAncestry = 16;

std::size_t index(std::int32_t token) {
  return static_cast<std::size_t>(token);
}

[[noreturn]] void fail_on_cycle(std::int32_t token) {
  throw Error(ErrorKind::data,
              "the heads of the tokens form a cycle through token " + std::to_string(token));
}

// Each token gets the interval of numbers in which its descendants are visited, so that the
// question takes two comparisons. A token on a cycle is never reached from a root.
// Which tokens lie below which: the descendants of a token are visited one after the other.
class Ancestry {
 public:
  explicit Ancestry(const std::vector<std::int32_t>& heads)
      : begin_(heads.size(), -1), end_(heads.size(), -1) {
    std::vector<std::vector<std::int32_t>> children(heads.size());
    std::vector<std::int32_t> roots;
    for (std::size_t i = 0; i < heads.size(); ++i) {
      const auto token = static_cast<std::int32_t>(i);
      (heads[i] == token ? roots : children[index(heads[i])]).push_back(token);
    }
    int visited = 0;
    for (const std::int32_t root : roots) visit(root, children, visited);
    const auto missed = std::find(begin_.begin(), begin_.end(), -1);
    if (missed != begin_.end()) fail_on_cycle(static_cast<std::int32_t>(missed - begin_.begin()));
  }

  bool is_below(std::int32_t token, std::int32_t ancestor) const {
    return begin_[index(token)] >= begin_[index(ancestor)] &&
           begin_[index(token)] < end_[index(ancestor)];
  }

 private:
  void visit(std::int32_t root, const std::vector<std::vector<std::int32_t>>& children,
             int& visited) {
    std::vector<std::int32_t> open = {root};
    while (!open.empty()) {
      const std::int32_t token = open.back();
      if (begin_[index(token)] >= 0) {  // its descendants are done
        end_[index(token)] = visited;
        open.pop_back();
        continue;
      }
      begin_[index(token)] = visited++;
      const auto& below = children[index(token)];
      open.insert(open.end(), below.begin(), below.end());
    }
  }

  std::vector<int> begin_, end_;
};

// The token whose arc is the shortest of those with a token between its ends that is no descendant
// of its head; the leftmost of several. `steps` counts the tokens that were looked at.
// An arc is crossed where a token between its ends hangs outside of it, which is the definition of
// Nivre and Nilsson (2005).
std::optional<std::int32_t> shortest_crossed(const std::vector<std::int32_t>& heads,
                                             std::int64_t& steps) {
  const Ancestry ancestry(heads);
  std::optional<std::int32_t> best;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto token = static_cast<std::int32_t>(i);
    const auto [from, to] = std::minmax(token, heads[i]);
    if (best && to - from >= std::abs(*best - heads[index(*best)])) continue;
    for (std::int32_t between = from + 1; between < to; ++between, ++steps) {
      if (ancestry.is_below(between, heads[i])) continue;
      best = token;
      break;
    }
  }
  steps += kStepsOfAncestry * static_cast<std::int64_t>(heads.size());
  return best;
}

// Where the tokens can be cut so that every arc lies in one piece; the last is their number. Arcs
// of one piece have nothing to do with those of another.
std::vector<std::int32_t> ends_of_pieces(const std::vector<std::int32_t>& heads) {
  std::vector<std::int32_t> reach(heads.size(), 0);  // the last token of arcs that start at a token
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto token = static_cast<std::int32_t>(i);
    std::int32_t& last = reach[index(std::min(token, heads[i]))];
    last = std::max(last, std::max(token, heads[i]));
  }
  std::vector<std::int32_t> ends;
  std::int32_t last = 0;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    last = std::max(last, reach[i]);
    if (last <= static_cast<std::int32_t>(i)) ends.push_back(static_cast<std::int32_t>(i) + 1);
  }
  return ends;
}

// Lifts the arcs of tokens [begin, end), the shortest first, until none is crossed.
// A token moves to the head of its head, one level for each turn; a root's child becomes a root.
// Lifting only shortens paths to the root, so it ends.
void lift_within(std::vector<std::int32_t>& heads, std::int32_t begin, std::int32_t end,
                 std::int64_t& steps) {
  std::vector<std::int32_t> piece(heads.begin() + begin, heads.begin() + end);
  for (std::int32_t& head : piece) head -= begin;
  while (const auto token = shortest_crossed(piece, steps)) {
    const std::int32_t head = piece[index(*token)];
    const std::int32_t above = piece[index(head)];
    piece[index(*token)] = above == head ? *token : above;
    if (steps > kSteps + kStepsPerToken * static_cast<std::int64_t>(heads.size())) {
      throw Error(ErrorKind::data, "a document of " + std::to_string(heads.size()) +
                                       " tokens has too many crossing arcs to be trained on; give "
                                       "it in parts, a sentence or a paragraph each");
    }
  }
  for (std::size_t i = 0; i < piece.size(); ++i) heads[index(begin) + i] = piece[i] + begin;
}

// "OWN||HEAD" cut in two; nothing where the label is a plain one.
std::optional<std::pair<std::string, std::string>> parts_of(const std::string& label) {
  const std::size_t at = label.find(kLiftedMark);
  if (at == std::string::npos) return std::nullopt;
  if (label.find(kLiftedMark, at + kLiftedMark.size()) != std::string::npos) {
    throw Error(ErrorKind::data, "the label '" + label + "' has more than one '||'");
  }
  return std::pair(label.substr(0, at), label.substr(at + kLiftedMark.size()));
}

// The leftmost and the rightmost descendant of every token, as far as two passes find them.
struct Edges {
  std::vector<std::int32_t> left, right;

  explicit Edges(const std::vector<std::int32_t>& heads) : left(heads.size()), right(heads.size()) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
      left[i] = right[i] = static_cast<std::int32_t>(i);
    }
    const auto spread = [&](std::size_t i) {
      const std::size_t head = index(heads[i]);
      left[head] = std::min(left[head], left[i]);
      right[head] = std::max(right[head], right[i]);
    };
    for (std::size_t i = 0; i < heads.size(); ++i) spread(i);
    for (std::size_t i = heads.size(); i-- > 0;) spread(i);
  }
};

// The first token with the label `wanted` below the head of `token`, level by level from left to
// right; none: -1. Children are looked for between the edges that the tree had at first.
std::int32_t descendant_with(const DependencyTree& tree, const Edges& edges,
                             const std::vector<bool>& is_space, std::int32_t token,
                             const std::string& wanted) {
  std::deque<std::int32_t> level = {tree.heads[index(token)]};
  std::vector<bool> seen(tree.heads.size(), false);
  while (!level.empty()) {
    const std::int32_t parent = level.front();
    level.pop_front();
    for (std::int32_t child = edges.left[index(parent)]; child <= edges.right[index(parent)];
         ++child) {
      if (child == parent || tree.heads[index(child)] != parent) continue;
      if (is_space[index(child)] || child == token || seen[index(child)]) continue;
      if (tree.labels[index(child)] == wanted) return child;
      seen[index(child)] = true;
      level.push_back(child);
    }
  }
  return -1;
}

}  // namespace

DependencyTree dependency_tree(const Doc& doc) {
  DependencyTree tree;
  const auto heads = doc.heads();
  for (int i = 0; i < doc.size(); ++i) {
    tree.heads.push_back(i + (heads.empty() ? 0 : heads[index(i)]));
    tree.labels.emplace_back(doc.string(doc.value(Attr::dep, i)));
  }
  return tree;
}

DependencyTree labelled_tree(const Doc& doc) {
  DependencyTree tree = dependency_tree(doc);
  for (std::size_t i = 0; i < tree.heads.size(); ++i) {
    if (tree.labels[i].empty()) tree.heads[i] = static_cast<std::int32_t>(i);
  }
  return tree;
}

bool has_crossing_arcs(const std::vector<std::int32_t>& heads) {
  std::int64_t steps = 0;
  return shortest_crossed(heads, steps).has_value();
}

DependencyTree projectivized(const DependencyTree& tree) {
  DependencyTree lifted = tree;
  std::int64_t steps = 0;
  std::int32_t begin = 0;
  for (const std::int32_t end : ends_of_pieces(tree.heads)) {
    lift_within(lifted.heads, begin, end, steps);
    begin = end;
  }
  for (std::size_t i = 0; i < tree.heads.size(); ++i) {
    if (lifted.heads[i] == tree.heads[i]) continue;
    // The label names the label of the first head: the search of `deprojectivized` goes by it.
    lifted.labels[i] =
        tree.labels[i] + std::string(kLiftedMark) + tree.labels[index(tree.heads[i])];
  }
  return lifted;
}

DependencyTree deprojectivized(const DependencyTree& tree, const std::vector<bool>& is_space) {
  DependencyTree result = tree;
  std::optional<Edges> edges;
  for (std::size_t i = 0; i < tree.labels.size(); ++i) {
    const auto parts = parts_of(tree.labels[i]);
    if (!parts) continue;
    // Most parses have no lifted arc: the edges are found only when one comes.
    if (!edges) edges.emplace(tree.heads);
    const auto token = static_cast<std::int32_t>(i);
    const std::int32_t head = descendant_with(result, *edges, is_space, token, parts->second);
    if (head >= 0) result.heads[i] = head;
    result.labels[i] = parts->first;
  }
  return result;
}

void set_parse(Doc& doc, const DependencyTree& tree) {
  std::vector<bool> is_space(tree.heads.size());
  for (int i = 0; i < doc.size(); ++i) is_space[index(i)] = doc.is_space(i);
  const DependencyTree plain = deprojectivized(tree, is_space);
  std::vector<std::int32_t> relative(plain.heads.size());
  std::vector<StringId> labels(plain.heads.size());
  for (std::size_t i = 0; i < plain.heads.size(); ++i) {
    relative[i] = plain.heads[i] - static_cast<std::int32_t>(i);
    labels[i] = plain.labels[i].empty() ? 0 : doc.vocab()->strings().add(plain.labels[i]);
  }
  doc.set_sent_starts(sent_starts_of_heads(relative, labels));
  doc.set_heads(std::move(relative));
  doc.set_column(Attr::dep, std::move(labels));
}

}  // namespace weft
