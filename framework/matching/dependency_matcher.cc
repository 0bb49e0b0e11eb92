#include "framework/matching/dependency_matcher.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw Error(ErrorKind::data, place + ": " + what);
}

const std::string& text_of(const Object& node, const char* key, const std::string& place) {
  const Node* value = node.find(key);
  if (value == nullptr) fail(place, fmt::format("there is no {}", key));
  if (!value->is_string()) fail(place, fmt::format("{} is no string", key));
  return value->as_string();
}

// One token, neither left out nor repeated.
const Node& attributes_of(const Object& node, const std::string& place) {
  const Node* attributes = node.find("RIGHT_ATTRS");
  if (attributes == nullptr || !attributes->is_object()) fail(place, "RIGHT_ATTRS is no map");
  for (const auto& [key, value] : attributes->as_object()) {
    if (upper_name(key) != "OP") continue;
    const bool single = value.is_string() && (value.as_string() == "!" || value.as_string() == "1");
    if (!single) fail(place, "a node is one token: its OP can only be \"!\"");
  }
  return *attributes;
}

}  // namespace

DependencyMatcher::DependencyMatcher(bool validate) : validate_(validate), matcher_(validate) {}

// Every node becomes a pattern of one token of the inner matcher, under a key of its own, and a
// relation to a node before it: a pattern is a tree, read from its first node on.
DependencyMatcher::Pattern DependencyMatcher::compile(const List& nodes, const std::string& place) {
  if (nodes.empty()) fail(place, "the pattern has no node");
  Pattern pattern;
  std::map<std::string, std::uint32_t> names;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string here = fmt::format("{}, node {}", place, i + 1);
    if (!nodes[i].is_object())
      fail(here, fmt::format("a node is a map, not {}", nodes[i].type_name()));
    const Object& node = nodes[i].as_object();
    TreeNode compiled;
    const std::string& name = text_of(node, "RIGHT_ID", here);
    const Node& attributes = attributes_of(node, here);
    if (i == 0) {
      if (node.contains("REL_OP") || node.contains("LEFT_ID")) {
        fail(here, "the first node has RIGHT_ID and RIGHT_ATTRS only");
      }
    } else {
      const std::string& left = text_of(node, "LEFT_ID", here);
      const auto known = names.find(left);
      if (known == names.end()) {
        fail(here, fmt::format("no node before it is called \"{}\"", printable_brief(left)));
      }
      compiled.left = known->second;
      const std::string& op = text_of(node, "REL_OP", here);
      const auto relation = parse_relation(op);
      if (!relation) fail(here, fmt::format("\"{}\" is no operator", printable_brief(op)));
      compiled.relation = *relation;
    }
    if (!names.emplace(name, static_cast<std::uint32_t>(i)).second) {
      fail(here, fmt::format("another node is called \"{}\" too", printable_brief(name)));
    }
    compiled.matcher_key = static_cast<std::uint32_t>(matcher_.keys().size());
    matcher_.add(fmt::format("{} #{}", here, matcher_.keys().size()), List{Node(List{attributes})});
    pattern.nodes.push_back(compiled);
  }
  return pattern;
}

void DependencyMatcher::add(const std::string& key, const Node& patterns) {
  if (!patterns.is_list()) {
    fail(fmt::format("the patterns of \"{}\"", printable_brief(key)),
         fmt::format("a list, and not {}", patterns.type_name()));
  }
  std::vector<Pattern> compiled;
  for (std::size_t i = 0; i < patterns.as_list().size(); ++i) {
    const std::string place = fmt::format("pattern {} of \"{}\"", i + 1, printable_brief(key));
    const Node& pattern = patterns.as_list()[i];
    if (!pattern.is_list()) fail(place, "a pattern is a list of nodes");
    compiled.push_back(compile(pattern.as_list(), place));
  }
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  const auto number = static_cast<std::uint32_t>(known - keys_.begin());
  if (known == keys_.end()) keys_.push_back(key);
  const auto behind = std::find_if(patterns_.begin(), patterns_.end(),
                                   [&](const Pattern& one) { return one.key > number; });
  for (Pattern& pattern : compiled) pattern.key = number;
  patterns_.insert(behind, std::make_move_iterator(compiled.begin()),
                   std::make_move_iterator(compiled.end()));
}

// Nodes of a match lie in one dependency tree, as every relation holds within one. So candidates
// are first parted by the root of their tree, and only those of the same tree are tried together.
std::vector<TreeMatch> DependencyMatcher::find(const Doc& doc) const {
  std::vector<std::vector<int>> tokens(matcher_.keys().size());  // by key of the matcher
  for (const TokenMatch& match : matcher_.find(doc)) tokens[match.key].push_back(match.start);
  for (auto& list : tokens) std::sort(list.begin(), list.end());
  const HeadTrees trees(doc);
  // Trees come in the order of the first token that is a node of any pattern.
  std::vector<std::pair<int, int>> order;  // token and root
  for (const auto& list : tokens) {
    for (const int token : list) order.emplace_back(token, trees.root(token));
  }
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  std::vector<TreeMatch> matches;
  for (const Pattern& pattern : patterns_) {
    std::map<int, Candidates> by_root;
    for (std::size_t node = 0; node < pattern.nodes.size(); ++node) {
      for (const int token : tokens[pattern.nodes[node].matcher_key]) {
        const int root = trees.root(token);
        Candidates& found = by_root[root];
        if (found.empty()) found.resize(pattern.nodes.size());
        found[node].push_back(token);
      }
    }
    for (const auto& [_, root] : order) {
      const auto found = by_root.find(root);
      if (found == by_root.end()) continue;  // done
      keep_supported(trees, pattern, found->second);
      combine(trees, pattern, found->second, matches);
      by_root.erase(found);
    }
  }
  return matches;
}

// Takes candidates out that no match can have, from the last node to the first, so that nothing is
// tried in vain afterwards.
void DependencyMatcher::keep_supported(const HeadTrees& trees, const Pattern& pattern,
                                       Candidates& found) {
  for (std::size_t node = pattern.nodes.size(); node-- > 1;) {
    const TreeNode& one = pattern.nodes[node];
    std::erase_if(found[one.left], [&](int left) {
      return std::none_of(found[node].begin(), found[node].end(),
                          [&](int right) { return related(trees, one.relation, left, right); });
    });
  }
}

// Goes through all choices of one candidate for each node, without recursion, and steps back as
// soon as a relation does not hold. The choices come in the order of tokens, node by node.
void DependencyMatcher::combine(const HeadTrees& trees, const Pattern& pattern,
                                const Candidates& found, std::vector<TreeMatch>& matches) {
  const std::size_t size = pattern.nodes.size();
  std::vector<std::size_t> places(size, 0);  // of the candidate that is tried next
  std::vector<int> chosen(size, 0);
  for (std::size_t node = 0;;) {
    if (places[node] == found[node].size()) {
      if (node == 0) return;
      places[node--] = 0;
      continue;
    }
    const TreeNode& one = pattern.nodes[node];
    chosen[node] = found[node][places[node]++];
    if (node > 0 && !related(trees, one.relation, chosen[one.left], chosen[node])) continue;
    if (node + 1 < size) {
      ++node;
      continue;
    }
    if (matches.size() == kMostMatches) {
      throw Error(ErrorKind::data,
                  fmt::format("tree patterns match in more than {} ways in one document: give "
                              "them fewer nodes or narrower ones (docs/limits.md)",
                              kMostMatches));
    }
    matches.push_back({pattern.key, chosen});
  }
}

}  // namespace weft
