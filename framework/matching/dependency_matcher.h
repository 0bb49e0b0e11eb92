// Finds tokens by patterns of dependency trees.
//
// Source: spaCy 3.8, https://spacy.io/api/dependencymatcher; docs/matching.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/matching/matcher.h"
#include "framework/matching/tree_relation.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct TreeMatch {
  std::uint32_t key = 0;    // number of the key, in the order of first adding
  std::vector<int> tokens;  // one for each node of the pattern
  bool operator==(const TreeMatch&) const = default;
};

// With all its patterns it may be used by any number of threads at once.
class WEFT_API DependencyMatcher {
 public:
  // A document with more matches is an error: their number can grow by the power of the nodes.
  static constexpr std::size_t kMostMatches = 1'000'000;

  explicit DependencyMatcher(bool validate = true);

  // A list of patterns, each a list of nodes. Throws Error(data), which names the pattern and the
  // node, and adds nothing, where one is not valid.
  void add(const std::string& key, const Node& patterns);

  // By pattern, then by tree (those first whose tokens fit some node of any pattern first), then by
  // token. Throws as Matcher::find, and Error(data) beyond
  // kMostMatches.
  std::vector<TreeMatch> find(const Doc& doc) const;

  const std::vector<std::string>& keys() const { return keys_; }  // by TreeMatch::key

 private:
  struct TreeNode {
    std::uint32_t matcher_key = 0;  // of its tokens
    std::uint32_t left = 0;         // the node that it is related to; not of the first
    TreeRelation relation = TreeRelation::head_of;
  };
  struct Pattern {
    std::uint32_t key = 0;
    std::vector<TreeNode> nodes;
  };
  using Candidates = std::vector<std::vector<int>>;  // tokens by node
  Pattern compile(const List& nodes, const std::string& place);
  static void keep_supported(const HeadTrees& trees, const Pattern& pattern, Candidates& found);
  static void combine(const HeadTrees& trees, const Pattern& pattern, const Candidates& found,
                      std::vector<TreeMatch>& matches);

  bool validate_;
  Matcher matcher_;
  std::vector<std::string> keys_;
  std::vector<Pattern> patterns_;  // by key, then in the order of adding
};

}  // namespace weft
