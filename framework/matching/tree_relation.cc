#include "framework/matching/tree_relation.h"

#include <algorithm>
#include <utility>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::pair<std::string_view, TreeRelation> kOperators[] = {
    {"<", TreeRelation::head_of},
    {">", TreeRelation::child_of},
    {"<<", TreeRelation::ancestor_of},
    {">>", TreeRelation::descendant_of},
    {".", TreeRelation::next},
    {".*", TreeRelation::later},
    {";", TreeRelation::previous},
    {";*", TreeRelation::earlier},
    {"$+", TreeRelation::next_sibling},
    {"$-", TreeRelation::previous_sibling},
    {"$++", TreeRelation::later_sibling},
    {"$--", TreeRelation::earlier_sibling},
    {">+", TreeRelation::next_child},
    {">-", TreeRelation::previous_child},
    {">++", TreeRelation::later_child},
    {">--", TreeRelation::earlier_child},
    {"<+", TreeRelation::next_head},
    {"<-", TreeRelation::previous_head},
    {"<++", TreeRelation::later_head},
    {"<--", TreeRelation::earlier_head}};

}  // namespace

// Walks all trees with a list of children, so that their depth takes no stack.
HeadTrees::HeadTrees(const Doc& doc) {
  const auto size = static_cast<std::size_t>(doc.size());
  heads_.resize(size);
  std::vector<std::vector<int>> children(size);
  std::vector<int> pending;
  for (int i = 0; i < doc.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    heads_[at] = i + (doc.heads().empty() ? 0 : doc.heads()[at]);
    if (heads_[at] != i) children[static_cast<std::size_t>(heads_[at])].push_back(i);
  }
  roots_.assign(size, -1);
  first_.resize(size);
  last_.resize(size);
  enter_.assign(size, 0);
  leave_.assign(size, 0);
  int time = 0;
  for (int root = 0; root < doc.size(); ++root) {
    if (!is_root(root)) continue;
    const auto tree = static_cast<std::size_t>(root);
    first_[tree] = last_[tree] = root;
    pending.assign(1, root);
    while (!pending.empty()) {
      const int token = pending.back();
      const auto at = static_cast<std::size_t>(token);
      if (roots_[at] >= 0) {
        leave_[at] = ++time;
        pending.pop_back();
        continue;
      }
      roots_[at] = root;
      enter_[at] = ++time;
      first_[tree] = std::min(first_[tree], token);
      last_[tree] = std::max(last_[tree], token);
      pending.insert(pending.end(), children[at].begin(), children[at].end());
    }
  }
  if (std::find(roots_.begin(), roots_.end(), -1) != roots_.end()) {
    throw Error(ErrorKind::data, "the heads of a document go in a circle");
  }
}

// A walk enters an ancestor before all that is below it, and leaves it after: two comparisons
// answer the question, however deep the tree is.
bool HeadTrees::is_below(int token, int ancestor) const {
  const auto low = static_cast<std::size_t>(token), high = static_cast<std::size_t>(ancestor);
  return token != ancestor && enter_[high] < enter_[low] && leave_[low] < leave_[high];
}

bool HeadTrees::in_sentence(int token, int other) const {
  const auto tree = static_cast<std::size_t>(root(token));
  return first_[tree] <= other && other <= last_[tree];
}

std::optional<TreeRelation> parse_relation(std::string_view op) {
  for (const auto& [name, relation] : kOperators) {
    if (name == op) return relation;
  }
  return std::nullopt;
}

// Every relation takes constant time. Roots are no siblings of each other, though all are their own
// heads.
bool related(const HeadTrees& trees, TreeRelation relation, int a, int b) {
  const auto is_child = [&] { return trees.head(b) == a && b != a; };
  const auto is_head = [&] { return trees.head(a) == b && b != a; };
  const auto is_sibling = [&] { return trees.head(b) == trees.head(a) && !trees.is_root(b); };
  switch (relation) {
    case TreeRelation::head_of:
      return is_head();
    case TreeRelation::child_of:
      return is_child();
    case TreeRelation::ancestor_of:
      return trees.is_below(a, b);
    case TreeRelation::descendant_of:
      return trees.is_below(b, a);
    case TreeRelation::next:
      return b == a + 1 && trees.in_sentence(a, b);
    case TreeRelation::later:
      return b > a && trees.in_sentence(a, b);
    case TreeRelation::previous:
      return b == a - 1 && trees.in_sentence(a, b);
    case TreeRelation::earlier:
      return b < a && trees.in_sentence(a, b);
    case TreeRelation::next_sibling:
      return b == a + 1 && is_sibling();
    case TreeRelation::previous_sibling:
      return b == a - 1 && is_sibling();
    case TreeRelation::later_sibling:
      return b > a && is_sibling();
    case TreeRelation::earlier_sibling:
      return b < a && is_sibling();
    case TreeRelation::next_child:
      return b == a + 1 && is_child();
    case TreeRelation::previous_child:
      return b == a - 1 && is_child();
    case TreeRelation::later_child:
      return b > a && is_child();
    case TreeRelation::earlier_child:
      return b < a && is_child();
    case TreeRelation::next_head:
      return b == a + 1 && is_head();
    case TreeRelation::previous_head:
      return b == a - 1 && is_head();
    case TreeRelation::later_head:
      return b > a && is_head();
    case TreeRelation::earlier_head:
      return b < a && is_head();
  }
  return false;
}

}  // namespace weft
